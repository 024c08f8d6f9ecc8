package api

import "strings"

// lacking names the capability that an endpoint of the contract needs and that no
// deployment of this version has, by its path; "" where that is none. A caller who looks
// for it is told so with 501, as of capabilities that a deployment could have.
func lacking(path string) string {
	switch {
	case path == "/v1/clearance/along":
		return "clearance"
	case path == "/v1/route/observations":
		return "observations"
	case path == "/v1/route/heritage":
		return "heritage"
	case strings.HasPrefix(path, "/v1/transit/"):
		return "transit"
	case strings.HasPrefix(path, "/v1/voice/"):
		return "voice"
	}
	return ""
}
