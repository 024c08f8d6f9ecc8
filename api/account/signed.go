package account

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"time"

	"github.com/waygate/waygate/account/origin"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
)

// addresses signs addresses for the key of a call.
type addresses struct{ Deps }

// SignIn is a request for a signed address.
type SignIn struct {
	Body struct {
		Path     string `json:"path" minLength:"2" maxLength:"8192" doc:"what the address opens: a path of this server with its query, or how paths begin, which ends with a slash, to open all that lies below it with any query. /tiles/, /tiles/{territory}/ and below, /pointclouds/{dataset}/, one of their files, /styles/{spec} or /v1/static-map?…"`
		Expires  *int64 `json:"expires_in_s,omitempty" minimum:"60" maximum:"86400" doc:"seconds for which the address is to work, 3,600 by default; rounded up by at most a quarter and 15 minutes, within which calls return the same address"`
		Origin   string `json:"origin,omitempty" maxLength:"300" doc:"origin of the pages that may use the address, as allowed_origins of a key has it; any without it"`
		Withdraw bool   `json:"withdraw,omitempty" doc:"true ends all addresses that were signed for this key before: here at once, on other replicas within five seconds"`
	}
}

// SignedAddress is an address that opens its path for who has no key.
type SignedAddress struct {
	Address   string    `json:"address" doc:"to be used as it is or, where it ends with a slash, with what lies below it behind it"`
	Path      string    `json:"path" doc:"the same without the server"`
	ExpiresAt time.Time `json:"expires_at"`
	Origin    *string   `json:"origin" doc:"in canonical form; null is any"`
}

var signDoc = edge.Doc{
	Summary: "Sign an address", Tags: []string{"keys"}, Example: `{"path":"/styles/light?territory=county","expires_in_s":3600}`,
	Description: "An extension. The address, /signed/{token} before the path, takes GET and HEAD as the path itself does, without a key: maps in pages, images, viewers that put an address into a query. It works for calls that the key may make, until it expires or the key is revoked, and what is called is metered on the key. Nothing in it is of the key. " +
		"A style or TileJSON that is fetched by a signed address names its tiles by addresses signed alike. An address that was changed, that is of another path or has expired is refused with 401, one from another origin with 403. Operations that can be signed have x-signed-addresses here. Costs nothing.",
	Answers: []edge.Answer{{Type: reflect.TypeFor[SignedAddress]()}},
}

func (a addresses) sign(w http.ResponseWriter, r *http.Request, in *SignIn) error {
	b := in.Body
	path, query, err := a.Signable(b.Path)
	if err != nil {
		return err
	}
	life := signed.Usual
	if b.Expires != nil {
		life = time.Duration(*b.Expires) * time.Second
	}
	g := signed.Grant{Expires: signed.Expiry(a.Now(), life)}
	out := SignedAddress{ExpiresAt: g.Expires}
	if b.Origin != "" {
		canonical, err := origin.Canonical([]string{b.Origin})
		if err != nil {
			return wrongOrigin(b.Origin, err)
		}
		g.Origin, out.Origin = canonical[0], &canonical[0]
	}
	signer, err := a.Accounts.AddressSigner(r.Context(), edge.CallOf(r.Context()).Key().ID, b.Withdraw)
	if err != nil {
		return err
	}
	to := url.URL{Path: path, RawQuery: query}
	out.Path = signer.Sign(path, query, g) + to.String()
	out.Address = a.Base(r) + out.Path
	return edge.WriteJSON(w, http.StatusCreated, out)
}

// wrongOrigin returns what is wrong with an origin as an error of the member origin.
func wrongOrigin(sent string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Violations()) == 0 {
		return err
	}
	return fault.Invalid(fault.Violation{Location: "origin", Value: fault.Clip(sent), Message: f.Violations()[0].Message})
}
