package api

import (
	"fmt"
	"net/http"
	"strings"
)

func writeText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, err := w.Write([]byte(text))
	return err
}

// llms orients an agent: rules, then the table of endpoints.
func (a *API) llms(w http.ResponseWriter, _ *http.Request) error {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, `# Waygate %s

A geospatial routing gateway: routes for cars, lorries with dangerous goods, buses, two-wheelers, bicycles and walkers, over OpenStreetMap data.
The machine-readable contract is %s/openapi.json; where this text and it disagree, it wins.

## Rules

- Coordinates are lon,lat in paths and queries; bodies name lat and lon. Distances are metres, durations seconds, unless a field says otherwise.
- POST /route takes {"locations": [{"lat": 1, "lon": 2}, ...], "costing": "auto"}. GET /route/v1/driving/lon,lat;lon,lat is the compatible form.
- Failures are application/problem+json: match on type, not on wording. The compatible form fails with {"code", "message"}.
- 501 means that this deployment lacks the capability. 429 means back off: honour Retry-After.
- A member or option that is not known is named in the answer's warnings. Read them.
- tunnel codes of dangerous goods: POST /adr/check is always authoritative; on routes read adr.enforced_by and adr.caveats.

## Access

%s

## Endpoints

`, a.options.Version, a.options.BaseURL, a.admission())
	for _, r := range a.rows {
		if !r.operational {
			_, _ = fmt.Fprintf(&b, "- %s %s (auth: %s, price class: %s)\n", r.method, r.path, r.auth, r.class)
		}
	}
	return writeText(w, b.String())
}

// admission says how calls are admitted here.
func (a *API) admission() string {
	if a.demo == nil {
		return "Endpoints with auth key need an API key: Authorization: Bearer <API_KEY> or api_key in the query."
	}
	return fmt.Sprintf("Endpoints with auth key are open without one at %d calls a minute for each client address.", a.options.DemoRPM)
}

func (a *API) terms(w http.ResponseWriter, r *http.Request) error {
	attribution := "© OpenStreetMap contributors"
	if current, err := world(r.Context()); err == nil && len(current.Territory.Attribution) > 0 {
		attribution = strings.Join(current.Territory.Attribution, "\n  ")
	}
	return writeText(w, `Terms of use

This server runs Waygate. Whoever operates it decides who may use it and on
what terms; this page states what holds everywhere.

1. Map data. Answers are made from:

  `+attribution+`

  OpenStreetMap data is available under the Open Database Licence
  (https://www.openstreetmap.org/copyright). Show this attribution wherever
  you show answers.

2. No warranty. Map data has gaps and errors. A route, an ADR decision or a
  clearance is no permission: signs, law and the situation on the road come
  first.

3. Fair use. Honour 429 and Retry-After. Send keys as bearer tokens, and never
  with requests for map assets.
`)
}
