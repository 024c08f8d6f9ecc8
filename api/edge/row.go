package edge

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"regexp"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema"
)

// Auth says who may call an endpoint.
type Auth string

// These say who may call an endpoint.
const (
	Public    Auth = "none"
	Keyed     Auth = "key"            // callers with a key; of a metered row also those without, in the demo lane or for payment
	Verified  Auth = "key (verified)" // callers with a key of a verified account
	SignedIn  Auth = "session"        // callers who are signed in to the console
	Linked    Auth = "link"           // callers with the token of a link, which the handler looks up
	Operators Auth = "admin"          // callers with the admin token
	Scrapers  Auth = "scrape"         // callers on this machine, or with the admin token
)

// Class is the price class of a call.
type Class string

// These say how a call is charged.
const (
	Free              Class = "free"
	Standard          Class = "standard"
	StandardOrPremium Class = "standard|premium" // the request decides: see Priced
	StandardEach      Class = "standard each"    // likewise, for each of its parts
	FreeThenStandard  Class = "free then standard"
	PerClip           Class = "1 unit per new clip"        // likewise
	PerCheck          Class = "standard per check and leg" // as many as the request decides
	Downloads         Class = "download allowance"         // bytes of the account's month
	PerChunk          Class = "chunk units"                // of the bytes that are sent: see Call.Raise. It needs a key
	FlatFive          Class = "flat 5 standard"
	FlatTen           Class = "flat 10 standard"
	PerImage          Class = "15 standard"
)

// weights are the units of a call where they are more than one whatever the request.
var weights = map[Class]int64{FlatFive: 5, FlatTen: 10, PerImage: 15}

// Allowance is how many calls a day are free, over all keys of an account.
type Allowance struct {
	Name   string
	PerDay int64
}

// Host is where an endpoint is found.
type Host string

// Where an endpoint is found. The website is served by the same process, and
// may have an address of its own.
const (
	API     Host = ""
	Website Host = "{website}"
)

// Cache-Control of answers. NoStore holds for failures too.
const (
	NoStore = "no-store"
	NoCache = "no-cache"
)

// Need is the part of a deployment that an endpoint requires, and the name of what that makes possible
// there: the capability that a 501 names. The zero value is nothing.
type Need struct {
	Call engine.Call // of the routing engine
	Name string
}

// Row is one endpoint. The mux, OpenAPI, admission, price and the metrics'
// label all read it. A row is bound to its handler by On, Write or Read.
type Row struct {
	Method, Path   string
	Also           []string // other paths of the same endpoint, which are not described; it is counted and charged by Path
	Host           Host
	Auth           Auth
	Keyless        bool      // open to those without a key in the demo lane, though it costs nothing; it has the rate of a call. A public row so is only in that lane
	Maps           bool      // open to a key of scope maps
	Signed         int       // open by signed addresses that fix at least so many segments of the path; Whole fixes all with the query, 0 is not open
	Class          Class     // what a call costs
	Allowance      Allowance // of a row that is FreeThenStandard
	Status         int       // of a typed answer; 0 is 200
	Media          string    // of an answer; "" is application/json
	Cache          string    // Cache-Control of an answer, unless its handler says otherwise; "" is none
	Tagged         bool      // a 200 has an entity tag, and callers who have its body get a 304; for small bodies
	MaxBody        int64     // bytes of a body that are taken of who sends a key, where that is more than elsewhere
	Streams        bool      // an answer may take longer than others; its handler sees that it goes on
	Account        bool      // about an account: never cached, and limited by client network where it is public
	Secret         bool      // the path holds a token or an address, which no log shows
	Needs          Need      // of the deployment; 501 where it lacks it
	BeyondContract bool      // not in the contract's list, and described
	Operational    bool      // for operators and the website, outside the contract and not described
	DropUnknown    bool      // members of the body that are not known are dropped without a word
	Failure        *Envelope // nil writes problem documents
	Doc            Doc
	// Effort is about what a typed answer takes to work out where that is more than a
	// millisecond and no feature takes a slot for it; the zero value takes none.
	Effort engine.Estimate

	label    string // of a mounted row
	handler  http.Handler
	prepare  func(ctx context.Context, in any) (free bool, err error) // see Prepared
	describe func(*schema.Document, *schema.Operation)                // what the input is; nil where no type says it
	out      reflect.Type                                             // body of a typed answer
	regional bool                                                     // answers from a region
}

// Label names the endpoint in metrics, logs and the usage of keys.
func (r Row) Label() string {
	if r.label != "" {
		return r.label
	}
	return r.Method + " " + string(r.Host) + r.Path
}

// pricedByRequest reports whether the request decides what a call costs.
func (c Class) pricedByRequest() bool {
	return c == StandardOrPremium || c == StandardEach || c == PerCheck || c == PerClip
}

// fixed reports whether a call costs the same whatever the request.
func (c Class) fixed() bool {
	return c == Standard || c == FreeThenStandard || weights[c] > 0
}

// Metered reports whether a call costs something.
func (r Row) Metered() bool { return r.Auth == Keyed && r.Class != Free }

// paysWithCall reports whether a call may pay for itself. Its answer is kept back until the
// payment is settled, so that it may not be of any length.
func (r Row) paysWithCall() bool { return r.Metered() && r.Class != PerChunk }

// weight multiplies the units of the class.
func (r Row) weight() int64 { return max(1, weights[r.Class]) }

// units returns the price of one computation of the class.
func (r Row) units(class meter.Class) int64 {
	if class == meter.Premium {
		return r.weight() * meter.PremiumUnits
	}
	return r.weight() * meter.StandardUnits
}

func (r Row) status() int { return cmp.Or(r.Status, http.StatusOK) }

// uncacheable reports whether nothing of an answer may be cached, failures
// included.
func (r Row) uncacheable() bool {
	return r.Account || r.Auth == SignedIn || r.Auth == Linked || r.Auth == Operators || r.Auth == Scrapers || r.Cache == NoStore
}

func (r Row) envelope() *Envelope {
	switch {
	case r.Failure != nil:
		return r.Failure
	case r.Auth == SignedIn:
		return outOfSession
	case r.Auth == Public:
		return withoutKeys
	}
	return problems
}

// suffixed matches a path whose last segment is a name with a suffix, which
// the mux cannot express: {y}.mvt, or {hash}.{ext}.
var suffixed = regexp.MustCompile(`^(.*/)\{(\w+)\}(\.\w+|\.\{\w+\})$`)

// pattern returns where the mux finds the row: for a path with a suffix the whole
// last segment, by the name it is given there.
func (r Row) pattern() (pattern, name, suffix string) {
	if r.Path == "/" {
		return r.Method + " /{$}", "", ""
	}
	if m := suffixed.FindStringSubmatch(r.Path); m != nil {
		return r.Method + " " + m[1] + "{" + m[2] + "}", m[2], m[3]
	}
	return r.Method + " " + r.Path, "", ""
}
