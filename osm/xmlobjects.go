package osm

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// begin starts an object from the attributes of its element.
func (x *xmlReader) begin(element string, a attrs, skip bool) error {
	x.held.objects++
	if skip {
		return nil
	}
	o := object{element: element}
	off := false // the globe
	for a.next() {
		switch string(a.name) {
		case "id":
			id, err := parseID(&a)
			if err != nil {
				return err
			}
			o.id, o.hasID = id, true
		case "version":
			v, err := strconv.ParseInt(string(a.raw), 10, 32)
			if err != nil {
				return fmt.Errorf("version=%q is no number up to %d", a.raw, math.MaxInt32)
			}
			o.version = max(0, int32(v))
		case "visible":
			o.dead = o.dead || string(a.raw) == "false"
		case "action":
			o.dead = o.dead || string(a.raw) == "delete"
		case "lon":
			if o.lon, o.hasLon = parseDegrees(a.raw, maxLon); !o.hasLon && !isNumber(a.raw) {
				return fmt.Errorf("lon=%q is no number of degrees", a.raw)
			}
			off = off || !o.hasLon
		case "lat":
			if o.lat, o.hasLat = parseDegrees(a.raw, maxLat); !o.hasLat && !isNumber(a.raw) {
				return fmt.Errorf("lat=%q is no number of degrees", a.raw)
			}
			off = off || !o.hasLat
		}
	}
	if a.err != nil {
		return a.err
	}
	if !o.hasID {
		return errors.New("it has no id")
	}
	if element == "node" && off && !o.dead {
		x.space.block.skip(KindNode, o.id, OffGlobe)
		o.dead = true
	}
	if element == "node" && !o.dead && !(o.hasLon && o.hasLat) {
		return fmt.Errorf("node %d has no position (lat and lon)", o.id)
	}
	if o.hasLon {
		x.held.placed++
	}
	x.object = o
	x.shapes.reset()
	x.tags, x.refs, x.members = x.tags[:0], x.refs[:0], x.members[:0]
	return nil
}

// skipped reports whether objects of an element are not wanted.
func (x *xmlReader) skipped(element string) bool {
	switch element {
	case "node":
		return x.opt.SkipNodes
	case "way":
		return x.opt.SkipWays
	}
	return x.opt.SkipRelations
}

// kinds are the kinds of objects by the names of their elements.
var kinds = map[string]Kind{"node": KindNode, "way": KindWay, "relation": KindRelation}

// isNumber reports whether text is a number at all.
func isNumber(b []byte) bool {
	f, err := strconv.ParseFloat(string(b), 64)
	return !math.IsNaN(f) && !math.IsInf(f, 0) && err == nil
}

func parseID(a *attrs) (int64, error) {
	id, err := strconv.ParseInt(string(a.raw), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is no whole number of 64 bits", a.name, a.raw)
	}
	return id, nil
}

// part adds a tag, a node reference or a member to the object.
func (x *xmlReader) part(name string, a attrs) error {
	o := &x.object
	if len(x.tags) >= maxParts || len(x.refs) >= maxParts || len(x.members) >= maxParts {
		return fmt.Errorf("%s %d has more than %d tags, node references or members", o.element, o.id, maxParts)
	}
	if o.texts > xmlText {
		return fmt.Errorf("%s %d has more than %d MB of tags and roles", o.element, o.id, xmlText>>20)
	}
	switch {
	case name == "tag":
		x.held.tagged++
		if x.skipped(o.element) {
			return nil // its geometry alone is wanted
		}
		t, err := x.readTag(a)
		if err != nil {
			return err
		}
		if len(t.Key) > maxText || len(t.Value) > maxText {
			if !o.dead {
				x.space.block.skip(kinds[o.element], o.id, LongTag)
			}
			return nil
		}
		if len(x.tags) == maxTagsOfObject {
			if !o.many && !o.dead {
				x.space.block.skip(kinds[o.element], o.id, ManyTags)
			}
			o.many = true
			return nil
		}
		x.tags = append(x.tags, t)
	case name == "nd" && x.object.element == "way":
		return x.nodeOfWay(a)
	case (name == "center" || name == "bounds") && x.object.element == "way":
		o.centre = true
	case name == "member" && x.object.element == "relation":
		m, err := x.readMember(a)
		if err != nil {
			return err
		}
		x.members, o.inMember = append(x.members, m), true
	}
	return nil
}

// nodeOfWay reads the reference of a way to a node, with the node's position where that
// stands beside it.
func (x *xmlReader) nodeOfWay(a attrs) error {
	p, err := x.point(a)
	if err != nil {
		return err
	}
	switch {
	case p.hasRef:
	case p.placed:
		p.ref = nodeAt(p.lon, p.lat)
	default:
		return fmt.Errorf("a node reference of way %d has no ref", x.object.id)
	}
	x.refs = append(x.refs, p.ref)
	if p.placed {
		x.shapes.node(p.ref, p.lon, p.lat)
	}
	return nil
}

// memberPoint reads a position of the member at hand.
func (x *xmlReader) memberPoint(a attrs) error {
	if len(x.shapes.nodes) >= maxPositions {
		return fmt.Errorf("the members of relation %d have more than %d positions", x.object.id, maxPositions)
	}
	p, err := x.point(a)
	switch {
	case err != nil:
		return err
	case p.placed:
		x.shapes.point(p.lon, p.lat)
	default:
		x.shapes.gap()
	}
	return nil
}

// xmlPoint is an element with a reference to a node, a position, or both.
type xmlPoint struct {
	ref      int64
	lon, lat int32
	hasRef   bool
	placed   bool
}

func (x *xmlReader) point(a attrs) (p xmlPoint, err error) {
	hasLon, hasLat := false, false
	for a.next() {
		switch string(a.name) {
		case "ref":
			if p.ref, err = parseID(&a); err != nil {
				return p, err
			}
			p.hasRef = true
		case "lon":
			if p.lon, hasLon = parseDegrees(a.raw, maxLon); !hasLon && !isNumber(a.raw) {
				return p, fmt.Errorf("lon=%q is no number of degrees", a.raw)
			}
		case "lat":
			if p.lat, hasLat = parseDegrees(a.raw, maxLat); !hasLat && !isNumber(a.raw) {
				return p, fmt.Errorf("lat=%q is no number of degrees", a.raw)
			}
		}
	}
	if p.placed = hasLon && hasLat; p.placed {
		x.held.placed++
	}
	return p, a.err
}

func (x *xmlReader) readTag(a attrs) (Tag, error) {
	var t Tag
	var hasKey, hasValue bool
	for a.next() {
		var err error
		switch string(a.name) {
		case "k":
			t.Key, err = x.text(&a)
			hasKey = true
		case "v":
			t.Value, err = x.text(&a)
			hasValue = true
		}
		if err != nil {
			return Tag{}, err
		}
	}
	if a.err == nil && !(hasKey && hasValue) {
		return Tag{}, fmt.Errorf("a tag of %s %d lacks k or v", x.object.element, x.object.id)
	}
	return t, a.err
}

func (x *xmlReader) readMember(a attrs) (Member, error) {
	var m Member
	var hasKind, hasRef, hasLon, hasLat bool
	var lon, lat int32
	for a.next() {
		var err error
		switch string(a.name) {
		case "type":
			hasKind = true
			switch string(a.raw) {
			case "node":
				m.Kind = KindNode
			case "way":
				m.Kind = KindWay
			case "relation":
				m.Kind = KindRelation
			default:
				err = fmt.Errorf("a member of the unknown type %q", a.raw)
			}
		case "ref":
			m.Ref, err = parseID(&a)
			hasRef = true
		case "role":
			m.Role, err = x.text(&a)
		case "lon":
			lon, hasLon = parseDegrees(a.raw, maxLon)
		case "lat":
			lat, hasLat = parseDegrees(a.raw, maxLat)
		}
		if err != nil {
			return Member{}, err
		}
	}
	if a.err == nil && !(hasKind && hasRef) {
		return Member{}, fmt.Errorf("a member of relation %d lacks type or ref", x.object.id)
	}
	if a.err == nil && m.Kind == KindNode && hasLon && hasLat {
		x.shapes.node(m.Ref, lon, lat)
	}
	return m, a.err
}

func (x *xmlReader) text(a *attrs) (string, error) {
	v, err := a.value(&x.buf)
	if err != nil {
		return "", err
	}
	x.texts += len(v)
	x.object.texts += len(v)
	return x.names.get(v), nil
}

// emit puts the object that has just ended in the block, with what its geometry makes.
func (x *xmlReader) emit() error {
	o, s := &x.object, x.space
	if o.dead {
		return nil
	}
	skip := x.skipped(o.element)
	var tags Tags
	if !skip {
		tags = s.tags.copyOf(x.tags)
	}
	switch o.element {
	case "node":
		if !skip {
			s.block.Nodes = append(s.block.Nodes, Node{ID: o.id, Lon: o.lon, Lat: o.lat, Version: o.version, Tags: tags})
		}
	case "way":
		if len(x.refs) == 0 && (o.centre || strings.HasPrefix(x.head.Generator, "Overpass")) {
			return bare(o.id, o.centre)
		}
		x.held.lines++
		if !skip {
			s.block.Ways = append(s.block.Ways, Way{ID: o.id, Version: o.version, Nodes: s.refs.copyOf(x.refs), Tags: tags})
		}
	case "relation":
		if !skip {
			s.block.Relations = append(s.block.Relations, Relation{ID: o.id, Version: o.version, Members: s.members.copyOf(x.members), Tags: tags})
		}
	}
	x.shapes.emit(s, x.opt)
	return nil
}

// interner keeps one copy of each short string it has met, of so many at
// least as the keys and common values are.
type interner map[string]string

const (
	internLength = 64
	internCount  = 1 << 16
)

func (in interner) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := in[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(b) <= internLength && len(in) < internCount {
		in[s] = s
	}
	return s
}

// parseDegrees reads decimal degrees and rounds them to units of 1e-7; false
// where they are no number or outside -limit to limit.
func parseDegrees(b []byte, limit int32) (int32, bool) {
	s := b
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	var v int64
	digits, places := 0, -1 // places behind the point, once there is one
	up := false
	for _, c := range s {
		switch {
		case c == '.' && places < 0:
			places = 0
			continue
		case c < '0' || c > '9' || digits > 40:
			return parseFloatDegrees(b, limit)
		}
		digits++
		switch {
		case places < 7:
			v = v*10 + int64(c-'0')
			if v > 1e12 {
				return 0, false
			}
			if places >= 0 {
				places++
			}
		case places == 7:
			up = c >= '5'
			places++
		}
	}
	if digits == 0 {
		return 0, false
	}
	for range 7 - min(7, max(0, places)) {
		v *= 10
	}
	if up {
		v++
	}
	if negative {
		v = -v
	}
	return int32(v), v >= -int64(limit) && v <= int64(limit)
}

// parseFloatDegrees reads what is not plain decimals, such as 1e-7.
func parseFloatDegrees(b []byte, limit int32) (int32, bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	f = math.Round(f * 1e7)
	if err != nil || !(f >= -float64(limit) && f <= float64(limit)) {
		return 0, false
	}
	return int32(f), true
}
