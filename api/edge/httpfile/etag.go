package httpfile

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// GzipTag ends the entity tag of an answer that is packed with gzip, inside the quotes.
// The bytes of a packed answer are not those of the plain one, so that a strong tag may
// not be the same (RFC 9110, 8.8.1). The packer ends its own tags alike, also with
// zstdTag.
const (
	GzipTag = "-gzip"
	zstdTag = "-zstd"
)

// GzippedTag returns the entity tag of an answer packed with gzip, by that of the plain one.
func GzippedTag(tag string) string { return strings.TrimSuffix(tag, `"`) + GzipTag + `"` }

// NotModified sets the entity tag of an answer and reports whether the caller has the
// answer already, plain or packed. Then it has answered 304 with the tag that the caller has,
// so that a cache finds the answer it keeps. The tag is that of the plain answer,
// noneMatch the list of If-None-Match.
func NotModified(w http.ResponseWriter, noneMatch, tag string) bool {
	h := w.Header()
	h.Set("ETag", tag)
	has, ok := matching(noneMatch, tag)
	if !ok {
		return false
	}
	h.Set("ETag", has)
	h.Del("Content-Type")
	h.Del("Content-Length")
	w.WriteHeader(http.StatusNotModified)
	return true
}

// Matches reports whether a list of entity tags, as If-None-Match has it, has that of an
// answer, plain or packed.
func Matches(list, tag string) bool {
	_, ok := matching(list, tag)
	return ok
}

// matching finds the tag of an answer, plain or packed, in a list of entity tags and
// gives it as it was sent. The comparison is weak (RFC 9110, 8.8.3.2), as
// If-None-Match has it.
func matching(list, tag string) (has string, ok bool) {
	stem, isTag := strings.CutSuffix(tag, `"`)
	if !isTag {
		return "", false
	}
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" {
			return tag, true
		}
		for _, end := range []string{"", GzipTag, zstdTag} {
			if own := stem + end + `"`; strings.TrimPrefix(own, "W/") == strings.TrimPrefix(one, "W/") {
				return own, true
			}
		}
	}
	return "", false
}

// strictly reports whether a list of entity tags, as If-Match has it, has that of a file. The
// comparison is strong (RFC 9110, 13.1.1), so that a weak tag is none of a file.
func strictly(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == tag && !strings.HasPrefix(one, "W/") {
			return true
		}
	}
	return false
}

// AcceptsGzip reports whether a caller takes answers packed with gzip.
func AcceptsGzip(r *http.Request) bool { return accepts(r, "gzip", "x-gzip", "*") }

// AcceptsBrotli reports whether a caller names Brotli among the packings that it takes.
func AcceptsBrotli(r *http.Request) bool { return accepts(r, "br") }

func accepts(r *http.Request, codings ...string) bool {
	accepted := false
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(one, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if !slices.Contains(codings, coding) {
			continue
		}
		name, value, has := strings.Cut(weight, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		takes := !has || !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil || q > 0
		if coding != "*" {
			return takes
		}
		accepted = takes
	}
	return accepted
}

// Uncompressed has an answer sent as it is written, not packed.
func Uncompressed(w http.ResponseWriter) { w.Header().Set(gzhttp.HeaderNoCompression, "1") }
