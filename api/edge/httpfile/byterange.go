package httpfile

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
)

// byteRange is the part of a file that is sent.
type byteRange struct {
	from, length int64
	whole        bool // it was not asked for as a part
}

func wholeFile(size int64) byteRange { return byteRange{0, size, true} }

// header returns its Content-Range in a file of a size.
func (r byteRange) header(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", r.from, r.from+r.length-1, size)
}

// parseRange reads the header Range of a request for a file of size bytes (RFC 9110,
// 14.2). No header and units other than bytes are the whole file. Several ranges, one that
// cannot be read, one that ends before it begins and one behind the end are refused: the
// whole file in their place might be a thousand times what the caller expects.
func parseRange(header string, size int64) (byteRange, error) {
	unit, list, ok := strings.Cut(header, "=")
	if !ok || !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
		return wholeFile(size), nil
	}
	refused := func(why string) (byteRange, error) {
		return byteRange{}, fault.New(fault.RangeNotSatisfiable, "range %s %s", fault.Clip(header), why)
	}
	if strings.Contains(list, ",") {
		return refused("asks for several parts; ask for one at a time")
	}
	first, last, ok := strings.Cut(strings.TrimSpace(list), "-")
	from, readable := byteCount(first)
	to, also := byteCount(last)
	if !ok || !readable || !also || first == "" && last == "" {
		return refused("cannot be read; it must be bytes=FIRST-LAST, bytes=FIRST- or bytes=-COUNT")
	}
	switch {
	case first == "": // the last bytes
		from, to = max(0, size-to), size-1
	case last == "":
		to = size - 1
	case to < from:
		return refused("ends before it begins")
	}
	if from >= size {
		return refused(fmt.Sprintf("lies behind the file's %d bytes", size))
	}
	return byteRange{from: from, length: min(to, size-1) - from + 1}, nil
}

// byteCount reads digits; none are 0, and more than an int64 has are its largest value.
func byteCount(digits string) (n int64, ok bool) {
	if digits == "" {
		return 0, true
	}
	u, err := strconv.ParseUint(digits, 10, 63)
	if errors.Is(err, strconv.ErrRange) {
		return math.MaxInt64, true
	}
	return int64(u), err == nil
}
