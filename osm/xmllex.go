package osm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// maxTag is the most bytes one tag of XML may have: far more than a value of
// 255 characters needs, written as entities.
const maxTag = 1 << 20

// lexer cuts a stream of XML into tags. It supports what OSM files use: elements,
// attributes, the five named entities and numbered ones, comments, CDATA,
// processing instructions and a plain document type, all in UTF-8.
type lexer struct {
	r        io.Reader
	buf      []byte
	pos, end int   // what of buf is read and not yet used
	base     int64 // where buf starts in the stream
	line     int
	err      error // of the reader, once it has ended
	text     []byte
}

// tag is one tag, valid until the next.
type tag struct {
	name    []byte
	attrs   []byte
	closing bool // </name>
	empty   bool // <name/>
}

func newLexer(r io.Reader) *lexer {
	return &lexer{r: r, buf: make([]byte, 64<<10), line: 1}
}

// offset returns the place in the stream of the next byte.
func (l *lexer) offset() int64 { return l.base + int64(l.pos) }

// more reads on, keeping what is not yet used, and reports whether there is
// more of it.
func (l *lexer) more() bool {
	if l.err != nil {
		return false
	}
	if l.pos > 0 {
		l.end = copy(l.buf, l.buf[l.pos:l.end])
		l.base += int64(l.pos)
		l.pos = 0
	}
	if l.end == len(l.buf) {
		if len(l.buf) >= maxTag {
			l.err = fmt.Errorf("a tag has more than %d bytes", maxTag)
			return false
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n := 0
	for n == 0 && l.err == nil {
		n, l.err = l.r.Read(l.buf[l.end:])
	}
	l.end += n
	return n > 0
}

func (l *lexer) use(n int) {
	l.line += bytes.Count(l.buf[l.pos:l.pos+n], []byte{'\n'})
	l.pos += n
}

// cutShort is the error of a stream that ends, or fails, inside what.
func (l *lexer) cutShort(what string) error {
	if errors.Is(l.err, io.EOF) {
		return fmt.Errorf("the file is cut short inside %s", what)
	}
	return l.err
}

func (l *lexer) has(prefix string) bool {
	for l.end-l.pos < len(prefix) && l.more() {
	}
	return bytes.HasPrefix(l.buf[l.pos:l.end], []byte(prefix))
}

// until returns what stands before mark, which is used up too; only its end
// where it is long. It is valid until the next read.
func (l *lexer) until(mark, what string) ([]byte, error) {
	for {
		if i := bytes.Index(l.buf[l.pos:l.end], []byte(mark)); i >= 0 {
			s := l.buf[l.pos : l.pos+i]
			l.use(i + len(mark))
			return s, nil
		}
		// A long comment goes by in pieces; a mark may lie across two.
		if n := l.end - l.pos - len(mark); n > len(l.buf)/2 {
			l.use(n)
		}
		if !l.more() {
			return nil, l.cutShort(what)
		}
	}
}

// next returns the next tag, io.EOF at the end. The text before it is in l.text,
// its beginning at least and never empty where there is any but white space.
func (l *lexer) next() (tag, error) {
	l.text = l.text[:0]
	for {
		i := bytes.IndexByte(l.buf[l.pos:l.end], '<')
		if i < 0 {
			l.keepText(l.end - l.pos)
			if !l.more() {
				return tag{}, l.err
			}
			continue
		}
		l.keepText(i)
		if !l.has("<!") && !l.has("<?") {
			return l.tag()
		}
		if err := l.pass(); err != nil {
			return tag{}, err
		}
	}
}

func (l *lexer) keepText(n int) {
	text := bytes.TrimLeft(l.buf[l.pos:l.pos+n], " \t\r\n")
	if room := 256 - len(l.text); len(text) > 0 && room > 0 {
		l.text = append(l.text, text[:min(room, len(text))]...)
	}
	l.use(n)
}

// pass goes past markup that is no element.
func (l *lexer) pass() error {
	switch {
	case l.has("<!--"):
		l.use(4)
		_, err := l.until("-->", "a comment")
		return err
	case l.has("<![CDATA["):
		l.use(9)
		_, err := l.until("]]>", "a CDATA section")
		l.text = append(l.text, "CDATA"...)
		return err
	case l.has("<!DOCTYPE"):
		body, err := l.until(">", "the document type")
		if err == nil && bytes.IndexByte(body, '[') >= 0 {
			err = errors.New("a document type with declarations of its own, which is not supported")
		}
		return err
	case l.has("<?"):
		l.use(2)
		body, err := l.until("?>", "a processing instruction")
		if declaration, ok := bytes.CutPrefix(body, []byte("xml")); ok && err == nil && len(declaration) > 0 && isSpace(declaration[0]) {
			return checkEncoding(declaration)
		}
		return err
	}
	return errors.New(`"<!" begins no comment, CDATA section or document type`)
}

func checkEncoding(declaration []byte) error {
	a := attrs{rest: declaration}
	for a.next() {
		if string(a.name) == "encoding" && !bytes.EqualFold(a.raw, []byte("UTF-8")) && !bytes.EqualFold(a.raw, []byte("US-ASCII")) {
			return fmt.Errorf("its encoding is %q, only UTF-8 is supported", a.raw)
		}
	}
	return a.err
}

// tag reads the tag that starts here, to the ">" outside quotes.
func (l *lexer) tag() (tag, error) {
	quote := byte(0)
	for i := 1; ; {
		s := l.buf[l.pos:l.end]
		for ; i < len(s); i++ {
			switch c := s[i]; {
			case c == '<':
				return tag{}, errors.New(`"<" inside a tag`)
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				l.use(i + 1)
				return cutTag(s[1:i])
			}
		}
		if !l.more() {
			return tag{}, l.cutShort("a tag")
		}
	}
}

func cutTag(body []byte) (tag, error) {
	var t tag
	if body, t.closing = bytes.CutPrefix(body, []byte("/")); !t.closing {
		body, t.empty = bytes.CutSuffix(body, []byte("/"))
	}
	n := 0
	for n < len(body) && !isSpace(body[n]) {
		n++
	}
	t.name, t.attrs = body[:n], body[n:]
	if n == 0 || bytes.ContainsAny(t.name, `"'/=&`) {
		return tag{}, fmt.Errorf("a tag without a valid name: <%.40s>", body)
	}
	if t.closing && len(bytes.TrimSpace(t.attrs)) > 0 {
		return tag{}, fmt.Errorf("a closing tag with more than a name: </%.40s>", body)
	}
	return t, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// attrs walks the attributes of a tag. After next has returned false, err says
// whether all was well.
type attrs struct {
	rest      []byte
	name, raw []byte // raw is the value before entities are replaced
	err       error
}

func (a *attrs) next() bool {
	i := 0
	for i < len(a.rest) && isSpace(a.rest[i]) {
		i++
	}
	if a.err != nil || i == len(a.rest) {
		return false
	}
	s := a.rest[i:]
	equals := bytes.IndexByte(s, '=')
	if i == 0 || equals < 1 {
		a.err = fmt.Errorf("a malformed attribute at %.40q", s)
		return false
	}
	a.name = bytes.TrimRight(s[:equals], " \t\r\n")
	s = bytes.TrimLeft(s[equals+1:], " \t\r\n")
	if len(s) < 2 || (s[0] != '"' && s[0] != '\'') || len(a.name) == 0 || bytes.ContainsAny(a.name, " \t\r\n\"'") {
		a.err = fmt.Errorf("a malformed attribute %.40q", a.name)
		return false
	}
	end := bytes.IndexByte(s[1:], s[0])
	if end < 0 {
		a.err = fmt.Errorf("the value of attribute %.40q does not end", a.name)
		return false
	}
	a.raw, a.rest = s[1:1+end], s[end+2:]
	return true
}

// value returns the current value with its entities replaced and white space
// made spaces, as XML wants it. It lies in the tag or in scratch.
func (a *attrs) value(scratch *[]byte) ([]byte, error) {
	plain, ascii := true, true
	for _, c := range a.raw {
		if c < ' ' || c == '&' {
			plain = false
		} else if c >= utf8.RuneSelf {
			ascii = false
		}
	}
	if !ascii {
		for i := 0; i < len(a.raw); {
			r, n := utf8.DecodeRune(a.raw[i:])
			if r == utf8.RuneError && n == 1 || !isXMLRune(r) && r >= ' ' {
				return nil, fmt.Errorf("attribute %q has bytes that are no UTF-8 text: %.40q", a.name, a.raw)
			}
			i += n
		}
	}
	if plain {
		return a.raw, nil
	}
	out, err := a.replace((*scratch)[:0])
	*scratch = out
	return out, err
}

func (a *attrs) replace(out []byte) ([]byte, error) {
	for s := a.raw; len(s) > 0; {
		switch c := s[0]; {
		case c == '&':
			end := bytes.IndexByte(s[:min(len(s), 12)], ';')
			if end < 0 {
				return out, fmt.Errorf(`attribute %q has a "&" that begins no entity: %.40q`, a.name, s)
			}
			r, ok := entity(s[1:end])
			if !ok {
				return out, fmt.Errorf("attribute %q has the unknown entity %q", a.name, s[:end+1])
			}
			out = utf8.AppendRune(out, r)
			s = s[end:]
		case c == '\r' && len(s) > 1 && s[1] == '\n': // one line end, not two
		case isSpace(c):
			out = append(out, ' ')
		case c < ' ':
			return out, fmt.Errorf("attribute %q has the control character %U", a.name, c)
		default:
			out = append(out, c)
		}
		s = s[1:]
	}
	return out, nil
}

func entity(name []byte) (rune, bool) {
	switch string(name) {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := bytes.CutPrefix(name, []byte("#"))
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || v > utf8.MaxRune || !isXMLRune(rune(v)) {
		return 0, false
	}
	return rune(v), true
}

// isXMLRune reports whether XML 1.0 can carry r.
func isXMLRune(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r <= 0xd7ff:
		return true
	case r < 0xe000:
		return false
	}
	return r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}
