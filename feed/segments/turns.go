package segments

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// maxPenalty is the longest time of a turn, in seconds, as OSRM has it.
const maxPenalty = 3276.7

// ReadTurns reads a file of turn penalties, as Read reads speeds. A penalty is the
// time that the turn takes, in seconds, which is never less than without it: one
// below zero is rejected. The weight that may follow is of OSRM alone.
func ReadTurns(r io.Reader) (*traffic.Document, error) {
	d := &traffic.Document{Delta: true}
	err := eachLine(r, "from_node,via_node,to_node,penalty", func(line []byte) (int, error) {
		t, seconds, ok := parseTurn(line)
		switch {
		case !ok:
			d.Reject(traffic.Unreadable)
			return 0, errUnreadable
		case seconds < 0 || seconds > maxPenalty:
			d.Reject("penalty out of range")
		case len(d.Turns) == traffic.MaxTurns:
			return 0, fmt.Errorf("more than %d turns", traffic.MaxTurns)
		default:
			t.Seconds = float32(seconds)
			d.Turns = append(d.Turns, t)
		}
		return len(d.Turns), nil
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func parseTurn(line []byte) (t link.Turn, seconds float64, ok bool) {
	for _, to := range []*int64{&t.From, &t.Via, &t.To} {
		text, rest, more := bytes.Cut(line, []byte{','})
		if *to, ok = id(text); !ok || !more {
			return t, 0, false
		}
		line = rest
	}
	text, _, _ := bytes.Cut(line, []byte{','})
	seconds, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	return t, seconds, err == nil && seconds == seconds
}

// AreTurns reports whether a line is of turn penalties rather than of speeds: its
// third value is a node, which no speed is.
func AreTurns(line []byte) bool {
	t, _, ok := parseTurn(line)
	return ok && t.To > traffic.MaxKmh
}
