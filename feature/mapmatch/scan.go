package mapmatch

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// scanner reads valid JSON of the plainest kind. A trace has thousands of
// positions, each an object of two or three numbers.
type scanner struct {
	raw json.RawMessage
	at  int
}

func (s *scanner) space() {
	for s.at < len(s.raw) && (s.raw[s.at] == ' ' || s.raw[s.at] == '\n' || s.raw[s.at] == '\r' || s.raw[s.at] == '\t') {
		s.at++
	}
}

// is takes a character if it comes next.
func (s *scanner) is(c byte) bool {
	s.space()
	if s.at < len(s.raw) && s.raw[s.at] == c {
		s.at++
		return true
	}
	return false
}

// name takes a member's name and the colon.
func (s *scanner) name() (string, bool) {
	if !s.is('"') {
		return "", false
	}
	n := bytes.IndexByte(s.raw[s.at:], '"')
	if n < 0 {
		return "", false
	}
	name := string(s.raw[s.at : s.at+n])
	s.at += n + 1
	return name, s.is(':')
}

func (s *scanner) number() (float64, bool) {
	s.space()
	from := s.at
	for s.at < len(s.raw) && bytes.IndexByte([]byte("+-.0123456789eE"), s.raw[s.at]) >= 0 {
		s.at++
	}
	v, err := strconv.ParseFloat(string(s.raw[from:s.at]), 64)
	return v, err == nil
}
