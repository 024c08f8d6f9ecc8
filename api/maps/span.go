package maps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/territories"
)

// span is the part of a file that is sent.
type span struct {
	from, length int64
	whole        bool
}

func (s span) header(size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", s.from, s.from+s.length-1, size)
}

// partOf reads what part of a layer is asked for, as RFC 9110 has it. Several
// ranges, other units and what cannot be read are the whole file, a range behind its
// end is refused.
func partOf(in *OfLayer, l *territories.Layer) (span, error) {
	whole := span{0, l.Bytes, true}
	list, ok := strings.CutPrefix(in.Range, "bytes=")
	if !ok || strings.Contains(list, ",") || in.IfRange != "" && in.IfRange != l.ETag() {
		return whole, nil
	}
	first, last, ok := strings.Cut(strings.TrimSpace(list), "-")
	from, readable := number(first)
	to, also := number(last)
	switch {
	case !ok || !readable || !also || first == "" && last == "":
		return whole, nil
	case first == "":
		from, to = max(0, l.Bytes-to), l.Bytes-1
	case last == "" || to >= l.Bytes:
		to = l.Bytes - 1
	case to < from:
		return whole, nil
	}
	if from > to {
		return whole, fault.New(fault.RangeNotSatisfiable, "range %s lies behind the file's %d bytes", fault.Clip(in.Range), l.Bytes)
	}
	return span{from: from, length: to - from + 1}, nil
}

// number reads digits; none are 0.
func number(text string) (n int64, ok bool) {
	if text == "" {
		return 0, true
	}
	u, err := strconv.ParseUint(text, 10, 63)
	return int64(u), err == nil
}
