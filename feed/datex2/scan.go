package datex2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// scanner goes through the tags and texts of XML in one pass, with as much memory as the
// longest tag takes. It finds elements by their local names, whatever their prefix, and
// refuses document types: nothing here needs entities of its own, and those are how a small
// file becomes a large one.
type scanner struct {
	r    io.Reader
	buf  []byte
	at   int // of the next byte in buf to scan
	end  int // of the bytes in buf
	name []byte
	tag  []byte // what follows the name in a start tag
	text []byte // of a text
	self bool   // the tag closes itself: next returns an end
	eof  bool
}

// token is the kind of token that next found.
type token uint8

const (
	endOfFile token = iota
	start
	end
	text
)

// Bounds of a document's parts.
const (
	bufferSize = 256 << 10
	maxDepth   = 256
)

func newScanner(r io.Reader) *scanner { return &scanner{r: r, buf: make([]byte, bufferSize)} }

// fill reads more behind what is there; false at the end.
func (s *scanner) fill() (bool, error) {
	if s.eof {
		return false, nil
	}
	if s.at > 0 {
		copy(s.buf, s.buf[s.at:s.end])
		s.at, s.end = 0, s.end-s.at
	}
	if s.end == len(s.buf) {
		return false, fmt.Errorf("a tag of more than %d bytes", len(s.buf))
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		switch {
		case errors.Is(err, io.EOF):
			s.eof = true
			return n > 0, nil
		case err != nil:
			return false, err
		case n > 0:
			return true, nil
		}
	}
	return false, io.ErrNoProgress
}

// next goes to the next token. Names and texts are valid until the one after it.
func (s *scanner) next() (token, error) {
	if s.self {
		s.self = false
		return end, nil
	}
	for {
		if s.at == s.end {
			if more, err := s.fill(); err != nil || !more {
				return endOfFile, err
			}
		}
		if s.buf[s.at] != '<' {
			i := bytes.IndexByte(s.buf[s.at:s.end], '<')
			if i < 0 {
				i = s.end - s.at
			}
			s.text = s.buf[s.at : s.at+i]
			s.at += i
			return text, nil
		}
		t, found, err := s.markup()
		if err != nil || found {
			return t, err
		}
	}
}

// errCut is returned for a document that ends too early.
var errCut = io.ErrUnexpectedEOF

// look makes sure that n bytes are there from the current one on.
func (s *scanner) look(n int) (bool, error) {
	for s.end-s.at < n {
		if more, err := s.fill(); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// markup reads what begins with <.
func (s *scanner) markup() (t token, found bool, err error) {
	if ok, err := s.look(2); err != nil || !ok {
		return 0, false, orCut(err)
	}
	switch s.buf[s.at+1] {
	case '?':
		return 0, false, s.skip("?>")
	case '!':
		return s.declaration()
	}
	i, err := s.find('>')
	if err != nil {
		return 0, false, err
	}
	inner := s.buf[s.at+1 : i]
	s.at = i + 1
	if inner[0] == '/' {
		s.name = local(bytes.TrimSpace(inner[1:]))
		return end, true, nil
	}
	if inner[len(inner)-1] == '/' {
		s.self, inner = true, inner[:len(inner)-1]
	}
	i = bytes.IndexAny(inner, " \t\r\n")
	if i < 0 {
		i = len(inner)
	}
	s.name, s.tag = local(inner[:i]), inner[i:]
	return start, true, nil
}

// declaration reads a comment or literal text; any other is refused.
func (s *scanner) declaration() (t token, found bool, err error) {
	if ok, err := s.look(9); err != nil {
		return 0, false, err
	} else if !ok && s.end-s.at < 4 {
		return 0, false, errCut
	}
	switch rest := s.buf[s.at:s.end]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return 0, false, s.skip("-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return 0, false, s.skip("]]>") // remarks for people, which nothing here reads
	}
	return 0, false, errors.New("a document type, which may define entities, is refused")
}

// skip passes over everything up to and including a mark.
func (s *scanner) skip(mark string) error {
	for {
		if i := bytes.Index(s.buf[s.at:s.end], []byte(mark)); i >= 0 {
			s.at += i + len(mark)
			return nil
		}
		s.at = max(s.at, s.end-len(mark)+1)
		if more, err := s.fill(); err != nil || !more {
			return orCut(err)
		}
	}
}

// find returns where the next c is, outside of quotes.
func (s *scanner) find(c byte) (int, error) {
	i, quote := 1, byte(0)
	for {
		for ; s.at+i < s.end; i++ {
			switch b := s.buf[s.at+i]; {
			case quote != 0:
				if b == quote {
					quote = 0
				}
			case b == '"' || b == '\'':
				quote = b
			case b == c:
				if i == 1 {
					return 0, errors.New("a tag without a name")
				}
				return s.at + i, nil
			case b == '<':
				return 0, errors.New("a tag within a tag")
			}
		}
		if more, err := s.fill(); err != nil || !more {
			return 0, orCut(err)
		}
	}
}

func orCut(err error) error {
	if err == nil {
		return errCut
	}
	return err
}

// local returns a name without its prefix.
func local(name []byte) []byte {
	if i := bytes.LastIndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// attribute returns the value of an attribute of the start tag by its local name.
func (s *scanner) attribute(name string) string {
	rest := s.tag
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		i := bytes.IndexByte(rest, '=')
		if i < 0 {
			return ""
		}
		key := local(bytes.TrimSpace(rest[:i]))
		rest = bytes.TrimLeft(rest[i+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		j := bytes.IndexByte(rest[1:], rest[0])
		if j < 0 {
			return ""
		}
		if string(key) == name {
			return unescape(rest[1 : 1+j])
		}
		rest = rest[2+j:]
	}
}

var named = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// unescape returns a text with its entities replaced, those that XML itself has.
func unescape(b []byte) string {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	if bytes.IndexByte(b, '&') < 0 {
		return string(b)
	}
	var out []byte
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return string(append(out, b...))
		}
		out, b = append(out, b[:i]...), b[i:]
		j := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if j < 0 {
			out, b = append(out, '&'), b[1:]
			continue
		}
		name := string(b[1:j])
		switch r, ok := named[name]; {
		case ok:
			out = append(out, r...)
		case len(name) > 1 && name[0] == '#':
			digits, base := name[1:], 10
			if digits[0] == 'x' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseUint(digits, base, 21); err == nil {
				out = utf8.AppendRune(out, rune(n))
			}
		default:
			out = append(out, b[:j+1]...)
		}
		b = b[j+1:]
	}
}
