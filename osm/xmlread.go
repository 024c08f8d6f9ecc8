package osm

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
)

const (
	xmlBlock = 8000     // objects in a block
	xmlParts = 1 << 18  // tags, references and members in a block
	xmlText  = 16 << 20 // bytes of keys, values and roles in a block
	maxParts = 1 << 20  // tags, references or members of one object, each
	maxDepth = 64

	maxPositions = 4 << 20 // of the members of one relation
)

// xmlReader turns a stream of OSM XML into blocks, its objects in any order.
// Deleted objects (visible="false", or JOSM's action="delete") are left out.
type xmlReader struct {
	lex     *lexer
	opt     Options
	head    Header
	shapes  geometry
	held    contents
	open    []string // the names of the open elements
	names   interner
	closed  bool // the root is
	object  object
	space   *space
	tags    []Tag // of the object, until it is kept in the space
	refs    []int64
	members []Member
	texts   int // bytes of keys, values and roles since the block began
	buf     []byte
}

// object is the node, way or relation that is being read.
type object struct {
	element                     string // "" between objects
	id                          int64
	version                     int32
	lon, lat                    int32
	texts                       int // bytes of its keys, values and roles so far
	hasID, hasLon, hasLat, dead bool
	many                        bool // it has more than maxTagsOfObject tags
	centre                      bool // it has a centre or bounds in place of its nodes
	inMember                    bool // a member of it is being read
}

func newXMLReader(r io.Reader, opt Options) *xmlReader {
	return &xmlReader{lex: newLexer(r), opt: opt, head: Header{Bounds: geo.NoBounds()}, names: interner{}}
}

func (x *xmlReader) header() Header { return x.head }

// next fills s with up to limit objects and reports whether there may be more.
func (x *xmlReader) next(s *space, limit int) (more bool, err error) {
	s.reset()
	x.space, x.texts = s, 0
	for s.block.count()+len(s.block.Skipped) < limit && s.tags.lent+s.refs.lent+s.members.lent < xmlParts && x.texts < xmlText {
		line, offset := x.lex.line, x.lex.offset()
		t, err := x.lex.next()
		if errors.Is(err, io.EOF) {
			return false, x.end()
		}
		if err == nil {
			line, offset = x.lex.line, x.lex.offset()
			err = x.tag(t)
		}
		if err != nil {
			return false, fmt.Errorf("line %d (byte %d): %w", line, offset, err)
		}
	}
	return true, nil
}

// end checks that the stream may end here.
func (x *xmlReader) end() error {
	switch {
	case len(x.open) > 0:
		return fmt.Errorf("line %d (byte %d): the file is cut short inside <%s>", x.lex.line, x.lex.offset(), x.open[len(x.open)-1])
	case !x.closed:
		return errors.New("it holds no <osm> element")
	case len(x.lex.text) > 0:
		return fmt.Errorf("line %d: text behind the end of <osm>: %.40q", x.lex.line, x.lex.text)
	}
	return x.held.check(x.head.Generator)
}

func (x *xmlReader) tag(t tag) error {
	if len(x.open) == 0 && len(x.lex.text) > 0 {
		return fmt.Errorf("text outside the <osm> element: %.40q", x.lex.text)
	}
	if t.closing {
		return x.closeTag(t.name)
	}
	if len(x.open) >= maxDepth {
		return fmt.Errorf("elements are nested more than %d deep", maxDepth)
	}
	name := x.names.get(t.name)
	if err := x.start(name, attrs{rest: t.attrs}); err != nil {
		return fmt.Errorf("<%s>: %w", name, err)
	}
	x.open = append(x.open, name)
	if t.empty {
		return x.finish()
	}
	return nil
}

func (x *xmlReader) closeTag(name []byte) error {
	if len(x.open) == 0 {
		return fmt.Errorf("</%s> closes nothing", name)
	}
	innermost := x.open[len(x.open)-1]
	if innermost != string(name) {
		return fmt.Errorf("</%s> where </%s> should be", name, innermost)
	}
	// Overpass reports here that it gave up half way.
	if innermost == "remark" && strings.Contains(string(x.lex.text), "runtime error") {
		return fmt.Errorf("the data is incomplete, its server says: %.200s", x.lex.text)
	}
	return x.finish()
}

// finish ends the innermost element.
func (x *xmlReader) finish() (err error) {
	x.open = x.open[:len(x.open)-1]
	switch len(x.open) {
	case 0:
		x.closed = true
	case 1:
		if x.object.element != "" {
			err = x.emit()
			x.object.element = ""
		}
	case 2:
		if x.object.inMember {
			x.shapes.member(x.members[len(x.members)-1])
			x.object.inMember = false
		}
	}
	return err
}

// start handles an element by its place: the root, a child of the root, a part
// of an object. Unknown elements are passed over with their contents.
func (x *xmlReader) start(name string, a attrs) error {
	switch len(x.open) {
	case 0:
		if x.closed {
			return errors.New("a second root element")
		}
		return x.root(name, a)
	case 1:
		switch name {
		case "node":
			return x.begin(name, a, x.opt.SkipNodes)
		case "way":
			return x.begin(name, a, x.opt.SkipWays && x.opt.SkipNodes)
		case "relation":
			return x.begin(name, a, x.opt.SkipRelations && x.opt.SkipWays && x.opt.SkipNodes)
		case "bounds":
			return x.bounds(a)
		case "meta":
			return x.meta(a)
		case "action", "create", "modify", "delete":
			return errors.New("it is a file of changes, not an extract; apply it to an extract first (osmium apply-changes does)")
		}
	case 2:
		if x.object.element != "" {
			return x.part(name, a)
		}
		if name == "tag" {
			x.held.tagged++
		}
	case 3:
		if name == "nd" && x.object.inMember {
			return x.memberPoint(a)
		}
	}
	return nil
}

func (x *xmlReader) root(name string, a attrs) error {
	switch name {
	case "osm":
	case "osmChange":
		return errors.New("it is a file of changes, not an extract; apply it to an extract first (osmium apply-changes does)")
	default:
		return errors.New("it is XML but not OSM: the root element is not <osm>")
	}
	for a.next() {
		switch string(a.name) {
		case "version":
			if string(a.raw) != "0.6" {
				return fmt.Errorf("version %q of the format is not supported, only 0.6", a.raw)
			}
		case "generator":
			v, err := a.value(&x.buf)
			if err != nil {
				return err
			}
			x.head.Generator = string(v)
		case "timestamp", "osmosis_replication_timestamp":
			x.dated(a.raw)
		}
	}
	return a.err
}

func (x *xmlReader) meta(a attrs) error {
	for a.next() {
		if string(a.name) == "osm_base" {
			x.dated(a.raw)
		}
	}
	return a.err
}

// dated takes a time of the data; one that is no time leaves it unknown.
func (x *xmlReader) dated(raw []byte) {
	if t, err := time.Parse(time.RFC3339, string(raw)); err == nil {
		x.head.Timestamp = t.UTC()
	}
}

func (x *xmlReader) bounds(a attrs) error {
	var box geo.Bounds
	found := 0
	for a.next() {
		var side *float64
		limit := int32(maxLon)
		switch string(a.name) {
		case "minlon":
			side = &box.Min.Lon
		case "maxlon":
			side = &box.Max.Lon
		case "minlat":
			side, limit = &box.Min.Lat, maxLat
		case "maxlat":
			side, limit = &box.Max.Lat, maxLat
		default:
			continue
		}
		v, ok := parseDegrees(a.raw, limit)
		if !ok {
			return fmt.Errorf("%s=%q is no coordinate on the globe", a.name, a.raw)
		}
		*side = float64(v) / 1e7
		found++
	}
	if a.err == nil && found == 4 && !box.Empty() {
		x.head.Bounds = x.head.Bounds.Union(box)
	}
	return a.err
}
