package maps

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/territory"
)

// Downloads are the accounts that offline downloads are counted on.
type Downloads interface {
	Download(ctx context.Context, identityID string, bytes int64) (month string, left int64, ok bool, err error)
	Undownload(ctx context.Context, identityID, month string, bytes int64) error
}

// offline is the endpoints of offline packages.
type offline struct {
	service *territories.Service
	counted Downloads
	upgrade func() string // where a larger allowance is bought; "" is nowhere
}

// OfVersion names a version of an offline territory.
type OfVersion struct {
	ID        string `path:"id" doc:"of the territory"`
	Version   int64  `path:"version" minimum:"1" doc:"as the index has it"`
	NoneMatch string `header:"If-None-Match" doc:"entity tags that the caller has"`
}

// OfLayer names a file of a version.
type OfLayer struct {
	ID      string `path:"id" doc:"of the territory"`
	Version int64  `path:"version" minimum:"1" doc:"as the index has it"`
	Addr    string `path:"addr" doc:"the layer's addr in the manifest: its SHA-256"`
	File    string `path:"file" doc:"the layer's file in the manifest"`
	httpfile.Request
}

type indexIn struct {
	NoneMatch string `header:"If-None-Match" doc:"entity tags that the caller has"`
}

// signatureMedia is that of signatures: one line of base64.
const signatureMedia = "text/plain; charset=utf-8"

func signedDoc(summary, description string, of reflect.Type) edge.Doc {
	d := edge.Doc{
		Summary: summary, Description: description, Tags: []string{"maps"}, Fails: []int{http.StatusNotImplemented}, Headers: map[string]string{"ETag": "changes with the document"},
		Answers: []edge.Answer{{Type: of, Open: of != nil}, {Status: http.StatusNotModified, Description: "not changed"}},
	}
	return d
}

var (
	territoriesDoc = signedDoc("Offline territories", "The newest version of each package for use without a network: what area it is of, how large, and how old its data are. The body is signed as it is: `/territories/index.sig`.", reflect.TypeFor[territory.Index]())
	indexSigDoc    = signedDoc("Signature of the index", "Ed25519 over the bytes of `/territories`, in base64, by the key that `/v1/platform` has as `territory_key`.", nil)
	manifestDoc    = signedDoc("Manifest of a territory", "The files of a version with their hashes. A version never changes. The body is signed as it is.", reflect.TypeFor[territory.Manifest]())
	manifestSigDoc = signedDoc("Signature of a manifest", "Ed25519 over the bytes of the manifest, in base64.", nil)
	layerDoc       = edge.Doc{
		Summary: "A file of a territory", Tags: []string{"maps"}, Fails: []int{http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable, http.StatusNotImplemented},
		Description: "Needs a key of a verified account and is counted, byte by byte as it is sent, against the account's monthly download allowance (`download_allowance_mib` of `/v1/keys/self`). Takes one range of bytes, to go on where a download broke off.",
		Headers:     map[string]string{"ETag": "the SHA-256 of the file", "Accept-Ranges": "bytes", "Content-Range": "of a part"},
		Answers: []edge.Answer{
			{Description: "the file"},
			{Status: http.StatusPartialContent, Description: "a part of the file"},
			{Status: http.StatusNotModified, Description: "not changed"},
			{Status: http.StatusPaymentRequired, Description: "the month's download allowance is used up", Media: "application/json", Type: reflect.TypeFor[AllowanceExceeded]()},
		},
	}
)

// AllowanceExceeded is the body of the 402 of a download.
type AllowanceExceeded struct {
	Code    string  `json:"code" enum:"download_allowance_exceeded"`
	Upgrade *string `json:"upgrade" doc:"address where more is bought; null where the operator alone gives it"`
}

// signed answers with a document, or with nothing where the caller has it.
func signed(w http.ResponseWriter, d *territories.Document, noneMatch, media string) error {
	if httpfile.NotModified(w, noneMatch, d.ETag) {
		return nil
	}
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(d.Data)))
	_, err := w.Write(d.Data)
	return err
}

func (o offline) index(w http.ResponseWriter, r *http.Request, in *indexIn) error {
	d, err := o.service.Index(r.Context(), false)
	if err != nil {
		return err
	}
	return signed(w, d, in.NoneMatch, "application/json")
}

func (o offline) indexSignature(w http.ResponseWriter, r *http.Request, in *indexIn) error {
	d, err := o.service.Index(r.Context(), true)
	if err != nil {
		return err
	}
	return signed(w, d, in.NoneMatch, signatureMedia)
}

func (o offline) manifest(w http.ResponseWriter, r *http.Request, in *OfVersion) error {
	d, err := o.service.Manifest(r.Context(), in.ID, in.Version, false)
	if err != nil {
		return err
	}
	return signed(w, d, in.NoneMatch, "application/json")
}

func (o offline) manifestSignature(w http.ResponseWriter, r *http.Request, in *OfVersion) error {
	d, err := o.service.Manifest(r.Context(), in.ID, in.Version, true)
	if err != nil {
		return err
	}
	return signed(w, d, in.NoneMatch, signatureMedia)
}

func (o offline) layer(w http.ResponseWriter, r *http.Request, in *OfLayer) error {
	l, err := o.service.Layer(r.Context(), in.ID, in.Version, in.Addr, in.File)
	if err != nil {
		return err
	}
	identity := edge.CallOf(r.Context()).Key().IdentityID
	return httpfile.Send(w, r, &in.Request, &httpfile.File{
		Size: l.Bytes, Tag: l.ETag(), Media: "application/octet-stream", Open: l.Open,
		Take: func(ctx context.Context, length int64) (func(int64) error, error) {
			return o.take(ctx, identity, length)
		},
		Broke: func(ctx context.Context, err error) { o.service.LogFailure(ctx, l, err) },
	})
}

// take counts bytes against the allowance of an account, or refuses them. giveBack takes
// bytes off the count again.
func (o offline) take(ctx context.Context, identity string, length int64) (giveBack func(unsent int64) error, err error) {
	month, _, ok, err := o.counted.Download(ctx, identity, length)
	if err != nil {
		return nil, err
	}
	if !ok {
		exceeded := fault.New(fault.PaymentRequired, "the month's download allowance is used up").With("code", "download_allowance_exceeded").With("upgrade", nil)
		if to := o.upgrade(); to != "" {
			exceeded = exceeded.With("upgrade", to)
		}
		return nil, exceeded
	}
	return func(unsent int64) error {
		// Callers who have left get back what was not sent to them, too.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return o.counted.Undownload(ctx, identity, month, unsent)
	}, nil
}
