package edge

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
)

// Whole is, as Row.Signed, that of an endpoint whose paths are signed one by one, each with its query.
const Whole = -1

// unsigned returns the request for what a signed address opens, and reads its token. Other
// requests stay as they are.
func unsigned(r *http.Request) (*http.Request, error) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), signed.Prefix)
	if !ok {
		return r, nil
	}
	token, path, ok := strings.Cut(rest, "/")
	if !ok {
		return r, signed.Mismatch()
	}
	to := *r.URL
	var err error
	to.RawPath = "/" + path
	if to.Path, err = url.PathUnescape(to.RawPath); err != nil || !plainPath(to.RawPath) {
		return r, signed.Mismatch()
	}
	a, err := signed.Read(token, to.Path, to.RawQuery)
	if err != nil {
		return r, err
	}
	if key, err := sentKey(r); err != nil {
		return r, err
	} else if key != "" {
		return r, fault.New(fault.Unauthorized, "an API key was sent to a signed address; send the key with the address that is not signed, or no key")
	}
	traceOf(r.Context()).signed = a
	next := *r
	next.URL = &to
	return &next, nil
}

// plainPath reports whether a path, as it was sent, can lie nowhere else than below its
// beginning: it has no dots, doubled slashes or escaped slashes.
func plainPath(path string) bool {
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "." || plain == ".." || strings.ContainsAny(plain, "/\\") {
			return false
		}
	}
	return !strings.Contains(strings.TrimSuffix(path, "/"), "//") && !strings.HasSuffix(path, "//")
}

// opened refuses a signed address of an endpoint that none opens, and on public endpoints one
// that is not valid. On those for keys its call is admitted as others are.
func (g *guard) opened(row *Row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := traceOf(r.Context())
		if t.signed == nil {
			next.ServeHTTP(w, r)
			return
		}
		if row.Signed == 0 {
			refuse(w, r, fault.New(fault.Forbidden, "%s is not opened by signed addresses, only by a key", row.Label()), row.envelope())
			return
		}
		if row.Auth == Public {
			a, err := g.edge.options.Gate.Admit(r.Context(), meter.Call{
				Address: t.signed, Endpoint: row.Label(), Maps: row.Maps, Free: true,
				Origin: r.Header.Get("Origin"), Referer: r.Header.Get("Referer"), Client: g.edge.Client(r),
			})
			if err != nil {
				refuse(w, r, err, row.envelope())
				return
			}
			t.opens = a
		}
		next.ServeHTTP(w, r)
	})
}

// AddressSigner returns what signs the addresses in an answer to a signed address, so that they open
// their own paths alike; nil for an answer to another one. See meter.Admission.SignedPrefix.
func AddressSigner(ctx context.Context) func(path string) string {
	t := traceOf(ctx)
	switch {
	case t.signed == nil:
		return nil
	case t.opens != nil:
		return t.opens.SignedPrefix
	case t.call != nil:
		return t.call.admission.SignedPrefix
	}
	return nil
}

// Signable returns a path in the form in which it is signed, with its query, or refuses one
// that cannot be signed. A path that ends with a slash is how those begin that are opened.
func (e *Edge) Signable(address string) (path, query string, err error) {
	wrong := func(why string) (string, string, error) {
		return "", "", fault.Invalid(fault.Violation{Location: "path", Value: fault.Clip(address), Message: why})
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "" || u.Host != "" || u.Fragment != "" || !strings.HasPrefix(u.Path, "/"):
		return wrong("must be a path of this server that begins with a slash, without a server and a fragment")
	case !plainPath(u.EscapedPath()) || strings.HasPrefix(u.Path, signed.Prefix) || strings.Contains(u.Path, "?"):
		return wrong("must be without dots, doubled or escaped slashes, and not signed already")
	case strings.HasSuffix(u.Path, "/") && u.RawQuery != "":
		return wrong("has a query, which a path that ends with a slash may not have: every query is open below it")
	case len(queryKeys(u.RawQuery)) > 0:
		return wrong("must be without a key")
	}
	parts := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	opens := func(row Row) bool { return row.Method == http.MethodGet && row.Signed != 0 && row.covers(parts) }
	if !slices.ContainsFunc(e.rows, opens) {
		return wrong("is not one that can be signed: those of tiles below /tiles/, of styles (/styles/{spec}), of an image (/v1/static-map with its query) and of the files of a point cloud below /pointclouds/{dataset}/ are")
	}
	return u.Path, u.RawQuery, nil
}

// covers reports whether the segments of a path are of the row, or begin its paths where the
// last is empty and the row lets so few be signed.
func (r Row) covers(parts []string) bool {
	own := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
	n := len(parts)
	if parts[n-1] == "" {
		n--
		if r.Signed == Whole || n < r.Signed || n >= len(own) {
			return false
		}
	} else if n != len(own) {
		return false
	}
	for i, part := range parts[:n] {
		open, _, variable := strings.Cut(own[i], "{")
		_, end, _ := strings.Cut(own[i], "}")
		if variable && (len(part) <= len(open)+len(end) || !strings.HasPrefix(part, open) || !strings.HasSuffix(part, end)) || !variable && part != own[i] {
			return false
		}
	}
	return true
}

// private makes the Cache-Control of an answer to a signed address one for the caller's cache
// alone: no other caller shall have it after the address has expired.
func private(h http.Header) {
	if kept := h.Get("Cache-Control"); strings.Contains(kept, "public") {
		h.Set("Cache-Control", strings.Replace(kept, "public", "private", 1))
	}
}
