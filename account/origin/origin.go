// Package origin decides from which web pages a browser key may be used.
package origin

import "errors"

// Canonical gives allowed origins in canonical form: scheme and host in lower
// case, default ports dropped, names in ASCII (IDNA), duplicates dropped, order
// kept. Each is scheme://host with an optional port and no path, query or user
// information, or has a wildcard for one label: https://*.example.com. It
// refuses more than 20 and names each that is wrong
// (allowed_origins[2]).
func Canonical(all []string) ([]string, error) { return nil, errors.ErrUnsupported }

// Of gives the origin a request comes from in canonical form: of the Origin
// header, or, where there is none, of the Referer. "" is none, a null origin or
// one that is no origin.
func Of(origin, referer string) string { return "" }

// Allowed reports whether an origin, as Of gives it, is among the allowed. A
// wildcard stands for one label and never for none.
func Allowed(allowed []string, origin string) bool { return false }
