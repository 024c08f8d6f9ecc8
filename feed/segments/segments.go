// Package segments reads OSRM's files of traffic. Read is for speeds: lines of
// from_osm_node,to_osm_node,speed_kmh[,rate], of which a speed of 0 closes the
// segment. ReadTurns is for penalties of turns: lines of
// from_osm_node,via_osm_node,to_osm_node,seconds[,weight].
package segments

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// maxLine is how many bytes a line may have.
const maxLine = 4096

// Read reads a file. What is not in it stays as it was before: the document is a
// delta. A line that cannot be read is counted and passed over; where most
// cannot, the file is another.
func Read(r io.Reader) (*traffic.Document, error) {
	d := &traffic.Document{Delta: true}
	err := eachLine(r, "from_node,to_node,speed", func(line []byte) (int, error) {
		s, ok := parse(line)
		switch {
		case !ok:
			d.Reject(traffic.Unreadable)
			return 0, errUnreadable
		case s.kmh < 0 || s.kmh > traffic.MaxKmh:
			d.Reject("speed out of range")
		case len(d.Segments) == traffic.MaxSpeeds:
			return 0, fmt.Errorf("more than %d segments", traffic.MaxSpeeds)
		default:
			d.Segments = append(d.Segments, link.Segment{From: s.from, To: s.to, Kmh: s.rounded()})
		}
		return len(d.Segments), nil
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// errUnreadable is a line that is not of the form.
var errUnreadable = errors.New("a line is not of the form")

// eachLine walks over the lines of a file, without empty ones and remarks. read returns how
// many have been taken so far; where more cannot be read the file is no form.
func eachLine(r io.Reader, form string, read func(line []byte) (taken int, err error)) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	bad, taken := 0, 0
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		n, err := read(line)
		switch {
		case errors.Is(err, errUnreadable):
			if bad++; bad > 1000 && bad > taken {
				return fmt.Errorf("%d of the first %d lines are not %s", bad, bad+taken, form)
			}
		case err != nil:
			return err
		default:
			taken = n
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("a line of more than %d bytes", maxLine)
	case err != nil:
		return err
	}
	if bad > taken {
		return fmt.Errorf("%d of %d lines are not %s", bad, bad+taken, form)
	}
	return nil
}

type speed struct {
	from, to int64
	kmh      float64
}

// rounded returns the speed in whole km/h, at least 1 where traffic moves at all.
func (s *speed) rounded() uint8 {
	if s.kmh > 0 && s.kmh < 1 {
		return 1
	}
	return uint8(s.kmh + 0.5)
}

func parse(line []byte) (s speed, ok bool) {
	a, rest, ok1 := bytes.Cut(line, []byte{','})
	b, rest, ok2 := bytes.Cut(rest, []byte{','})
	c, _, _ := bytes.Cut(rest, []byte{','}) // a rate may follow, which is of OSRM alone
	if !ok1 || !ok2 {
		return s, false
	}
	if s.from, ok = id(a); !ok {
		return s, false
	}
	if s.to, ok = id(b); !ok {
		return s, false
	}
	kmh, err := strconv.ParseFloat(string(bytes.TrimSpace(c)), 64)
	s.kmh = kmh
	return s, err == nil && kmh == kmh
}

// id reads the id of a node.
func id(text []byte) (int64, bool) {
	text = bytes.TrimSpace(text)
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(text) > 0 && len(text) <= 18
}
