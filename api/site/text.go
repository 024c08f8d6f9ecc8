package site

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/api/edge"
)

// texts serves the introductions for people and agents.
type texts struct {
	version, baseURL string
	unitPrice        int64 // millipence for a unit beyond the quota; 0 sells none
	demoRPM          int   // keyless calls a minute; 0 closes the lane
	payWithCall      bool  // a call may pay for itself
	rows             func() []edge.Row
	site             website
}

// allowance returns what a self-serve key may use, and what more costs.
func (t texts) allowance() string {
	text := fmt.Sprintf("A verified key has %s units a month, shared by up to %d keys of one\n  address, at %d calls a minute. ", grouped(account.VerifiedQuota), account.KeysPerIdentity, account.RatePerMinute)
	if t.unitPrice > 0 {
		return text + fmt.Sprintf("Beyond that a unit costs %d millipence of\n  prepaid credit (1,000 are a penny).", t.unitPrice)
	}
	return text + "No more is sold here."
}

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := w.Write([]byte(text))
	return err
}

// llms serves llms.txt: rules, then the table of endpoints.
func (t texts) llms(w http.ResponseWriter, _ *http.Request, _ *struct{}) error {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, `# Waygate %s

A geospatial routing gateway: routes for cars, lorries with dangerous goods, buses, two-wheelers, bicycles and walkers, over OpenStreetMap data.
The machine-readable contract is %s/openapi.json; where this text and it disagree, it wins.

## Rules

- Coordinates are lon,lat in paths and queries; bodies name lat and lon. Distances are metres, durations seconds, unless a field says otherwise.
- POST /route takes {"locations": [{"lat": 1, "lon": 2}, ...], "costing": "auto"}. GET /route/v1/driving/lon,lat;lon,lat is the compatible form.
- POST /matrix takes {"sources": [...], "targets": [...], "costing": "auto"} and answers durations and distances by row. POST /isochrone takes {"locations": [one], "costing": "auto", "contours": [{"time": 10}], "polygons": true}; time is minutes, distance kilometres.
- POST /optimise plans routes of vehicles: {"vehicles": [{"id": "v", "start": {...}, "end": {...}, "capacity": [4], "time_window": [28800, 61200]}], "jobs": [{"id": "a", "location": {...}, "service_s": 300, "delivery": [1], "time_windows": [[32400, 36000]]}]}; what it leaves out is in unassigned with the reason and what would serve it. POST /optimise/replan takes the same with progress and changes and plans the rest of the day. POST /v1/cluster divides stops evenly. What is over 200 locations goes to POST /v1/jobs/optimise, /v1/jobs/replan or /v1/jobs/matrix: poll GET /v1/jobs/{id} for the result.
- GET /photon/api, /photon/reverse and /nominatim/search, /nominatim/reverse, /nominatim/lookup find places as Photon and Nominatim do; GET /geocode is our own form.
- Failures are application/problem+json: match on type, not on wording. OSRM's form fails with {"code", "message"}, Photon's with {"message"}, Nominatim's with {"error": {"code", "message"}}.
- 501 means that this deployment lacks the capability. 429 means back off: honour Retry-After.
- A member or option that is not known is named in the answer's warnings. Read them.
- tunnel codes of dangerous goods: POST /adr/check is always authoritative; on routes read adr.enforced_by and adr.caveats.

## Access

%s

## Endpoints

`, t.version, t.baseURL, t.admission())
	for _, r := range t.rows() {
		if !r.Operational {
			_, _ = fmt.Fprintf(&b, "- %s %s (auth: %s, price class: %s)\n", r.Method, string(r.Host)+r.Path, r.Auth, r.Class)
		}
	}
	return writeText(w, b.String())
}

// admission describes how calls are admitted here, and what they cost.
func (t texts) admission() string {
	var b strings.Builder
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, "- "+format+"\n", args...) }
	line("Auth key: send Authorization: Bearer <API_KEY>, or api_key in the query. Never both with different keys, never in a body or another header.")
	line(`Get a key: POST /v1/keys {"email": "...", "accept_tos": true}. It works at once, for %s units and %d hours; the link in the e-mail makes it %s units a month. Show your human display_to_user.`,
		grouped(account.ProvisionalQuota), int(account.ProvisionalLife.Hours()), grouped(account.VerifiedQuota))
	line("GET /v1/keys/self returns what is left and costs nothing. Each answer that was charged has its units in X-Svc-Quota-Units. A refused or failed call costs nothing, but for a 504 whose work was done here until its time was up.")
	line("?estimate=1 on a metered call answers what it would cost, with nothing run or charged; GET /v1/limits returns your rate, quota and the caps on one call. A 503 with Retry-After means busy: come back then.")
	line("Units: standard %d, premium (truck costing or an adr object) %d. %d calls a minute for a self-serve key, in any sixty seconds.",
		meter.StandardUnits, meter.PremiumUnits, account.RatePerMinute)
	switch {
	case t.demoRPM > 0:
		line("Without a key: %d calls a minute for each client address, counted and never charged. Endpoints that are about a key need one.", t.demoRPM)
	default:
		line("Without a key there are no calls: the keyless demo lane is closed here.")
	}
	if p := t.unitPrice; p > 0 {
		line("Beyond the quota a unit costs %d millipence (1,000 are a penny) of prepaid credit; without credit the answer is a 402 with the address where it is bought.", p)
	} else {
		line("Beyond the quota calls are refused with 429 quota-exceeded: no credit is sold here.")
	}
	if t.payWithCall {
		line("A call may pay for itself: a 402 lists what is accepted (x402), the header X-PAYMENT carries the payment.")
	}
	line("A key of scope maps opens the map endpoints, /v1/keys/self and /v1/usage only; allowed_origins bind a key to web pages.")
	line("402 means buy or upgrade, 429 means back off, 403 means that this key may not.")
	return strings.TrimSuffix(b.String(), "\n")
}

// grouped formats a number with commas.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// termsText returns the terms as a text.
func (t texts) termsText(ctx context.Context) string {
	attribution := "© OpenStreetMap contributors"
	if current, err := edge.WorldOf(ctx); err == nil && len(current.Attribution()) > 0 {
		attribution = strings.Join(current.Attribution(), "\n  ")
	}
	return `Terms of use

This server runs Waygate. Whoever operates it decides who may use it and on
what terms; this page states what holds everywhere.

1. Map data. Answers are made from:

  ` + attribution + `

  OpenStreetMap data is available under the Open Database Licence
  (https://www.openstreetmap.org/copyright). Show this attribution wherever
  you show answers.

2. No warranty. Map data has gaps and errors. A route, an ADR decision or a
  clearance is no permission: signs, law and the situation on the road come
  first.

3. Keys. A key belongs to the holder of the e-mail address it was verified
  with. Keep it secret unless it is bound to web pages. The address is used
  for verification, sign-in and notices of the quota. Client addresses are
  counted as salted hashes whose salt goes with the month.

4. Fair use. ` + t.allowance() + `
  Honour 429 and Retry-After. Send keys as bearer tokens, and never with
  requests for fonts, sprites and public styles.
`
}
