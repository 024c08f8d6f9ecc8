package osm

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
)

// jsonReader turns a stream of OSM JSON, as Overpass and the API of OpenStreetMap write it,
// into blocks. What of an element is unknown is passed over.
type jsonReader struct {
	in     *limited
	dec    *json.Decoder
	opt    Options
	head   Header
	begun  bool
	shapes geometry
	held   contents
	tags   []Tag
	member []Member
}

// mostOfElement is how many bytes of a file one element may take: the largest relation of
// OpenStreetMap with its geometry takes a tenth.
const mostOfElement = 256 << 20

// limited reads up to a number of bytes, which is given anew for each element.
type limited struct {
	io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("an element takes more than %d MB", mostOfElement>>20)
	}
	n, err := l.Reader.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

func newJSONReader(r io.Reader, opt Options) *jsonReader {
	in := &limited{r, mostOfElement}
	return &jsonReader{in: in, dec: json.NewDecoder(bufio.NewReaderSize(in, 64<<10)), opt: opt, head: Header{Bounds: geo.NoBounds()}}
}

func (j *jsonReader) header() Header { return j.head }

// jsonPoint is a position of a geometry; null where it was cut off.
type jsonPoint struct{ Lat, Lon json.Number }

type jsonMember struct {
	Type     string
	Ref      json.Number
	Role     string
	Lat, Lon json.Number
	Geometry []*jsonPoint
}

type jsonElement struct {
	Type     string
	ID       json.Number
	Version  json.Number
	Visible  *bool
	Lat, Lon json.Number
	Tags     map[string]string
	Nodes    []int64
	Geometry []*jsonPoint
	Center   *jsonPoint
	Bounds   json.RawMessage
	Members  []jsonMember
}

// next fills s with up to limit objects and reports whether there may be more.
func (j *jsonReader) next(s *space, limit int) (more bool, err error) {
	s.reset()
	if !j.begun {
		j.begun = true
		if found, err := j.begin(); err != nil || !found {
			return false, j.at(err)
		}
	}
	parts := func() int { return s.tags.lent + s.refs.lent + s.members.lent }
	for s.block.count()+len(s.block.Skipped) < limit && parts() < xmlParts {
		j.in.left = mostOfElement
		if !j.dec.More() {
			return false, j.at(j.end())
		}
		var e jsonElement
		if err := j.dec.Decode(&e); err != nil {
			return false, j.at(err)
		}
		if err := j.element(s, &e); err != nil {
			return false, j.at(err)
		}
	}
	return true, nil
}

// at adds where in the file an error is.
func (j *jsonReader) at(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file is cut short")
	}
	return fmt.Errorf("byte %d: %w", j.dec.InputOffset(), err)
}

// begin reads up to the first element and reports whether the file has elements.
func (j *jsonReader) begin() (found bool, err error) {
	open, err := j.dec.Token()
	if err != nil {
		return false, err
	}
	if open != json.Delim('{') {
		return false, errors.New("it is JSON but not OSM: it is no object with elements")
	}
	return j.members()
}

// members reads members of the document up to its elements, or to its end.
func (j *jsonReader) members() (elements bool, err error) {
	for j.dec.More() {
		key, err := j.dec.Token()
		if err != nil {
			return false, err
		}
		switch key {
		case "elements":
			t, err := j.dec.Token()
			if err == nil && t != json.Delim('[') {
				err = errors.New("elements is no list")
			}
			return true, err
		case "generator":
			if err := j.dec.Decode(&j.head.Generator); err != nil {
				return false, err
			}
		case "osm3s":
			var about struct {
				Base string `json:"timestamp_osm_base"`
			}
			if err := j.dec.Decode(&about); err != nil {
				return false, err
			}
			if t, err := time.Parse(time.RFC3339, about.Base); err == nil {
				j.head.Timestamp = t.UTC()
			}
		case "remark":
			var remark string
			if err := j.dec.Decode(&remark); err != nil {
				return false, err
			}
			if strings.Contains(remark, "runtime error") {
				return false, fmt.Errorf("the data is incomplete, its server says: %.200s", remark)
			}
		default:
			var other json.RawMessage
			if err := j.dec.Decode(&other); err != nil {
				return false, err
			}
		}
	}
	if _, err := j.dec.Token(); err != nil {
		return false, err
	}
	return false, nil
}

// end reads what stands behind the elements.
func (j *jsonReader) end() error {
	if _, err := j.dec.Token(); err != nil {
		return err
	}
	if again, err := j.members(); err != nil || again {
		return errors.Join(err, map[bool]error{true: errors.New("elements come twice")}[again])
	}
	return j.held.check(j.head.Generator)
}

// position reads coordinates; ok is false where they are beyond the globe.
func position(lon, lat json.Number) (x, y int32, ok bool, err error) {
	x, hasLon := parseDegrees([]byte(lon), maxLon)
	y, hasLat := parseDegrees([]byte(lat), maxLat)
	if !hasLon && !isNumber([]byte(lon)) || !hasLat && !isNumber([]byte(lat)) {
		return 0, 0, false, fmt.Errorf("lon %q and lat %q are no position", lon, lat)
	}
	return x, y, hasLon && hasLat, nil
}

func (j *jsonReader) element(s *space, e *jsonElement) error {
	kind, known := kinds[e.Type]
	if !known {
		return nil // such as area, or a count
	}
	id, err := e.ID.Int64()
	if err != nil {
		return fmt.Errorf("a %s has the id %q, which is no whole number of 64 bits", e.Type, e.ID)
	}
	if e.Visible != nil && !*e.Visible {
		return nil
	}
	version, err := strconv.ParseInt(string(e.Version), 10, 32)
	if err != nil {
		version = 0
	}
	j.held.objects++
	if len(e.Tags) > 0 {
		j.held.tagged++
	}
	tags := Tags(s.tags.copyOf(j.readTags(s, kind, id, e.Tags)))
	j.shapes.reset()
	switch kind {
	case KindNode:
		lon, lat, ok, err := position(e.Lon, e.Lat)
		if err != nil {
			return fmt.Errorf("node %d: %w", id, err)
		}
		if !ok {
			s.block.skip(KindNode, id, OffGlobe)
			return nil
		}
		j.held.placed++
		if !j.opt.SkipNodes {
			s.block.Nodes = append(s.block.Nodes, Node{ID: id, Lon: lon, Lat: lat, Version: int32(version), Tags: tags})
		}
	case KindWay:
		if err := j.way(id, e); err != nil {
			return err
		}
		if !j.opt.SkipWays {
			s.block.Ways = append(s.block.Ways, Way{ID: id, Version: int32(version), Nodes: s.refs.copyOf(e.Nodes), Tags: tags})
		}
	case KindRelation:
		members, err := j.relation(id, e)
		if err != nil {
			return err
		}
		if !j.opt.SkipRelations {
			s.block.Relations = append(s.block.Relations, Relation{ID: id, Version: int32(version), Members: s.members.copyOf(members), Tags: tags})
		}
	}
	j.shapes.emit(s, j.opt)
	return nil
}

// readTags gives tags in the order of their keys, without those that are too long or too many.
func (j *jsonReader) readTags(s *space, kind Kind, id int64, of map[string]string) []Tag {
	j.tags = j.tags[:0]
	for _, key := range slices.Sorted(maps.Keys(of)) {
		switch {
		case len(key) > maxText || len(of[key]) > maxText:
			s.block.skip(kind, id, LongTag)
		case len(j.tags) == maxTagsOfObject:
			s.block.skip(kind, id, ManyTags)
			return j.tags
		default:
			j.tags = append(j.tags, Tag{key, of[key]})
		}
	}
	return j.tags
}

// way reads the geometry of a way.
func (j *jsonReader) way(id int64, e *jsonElement) error {
	if len(e.Nodes) == 0 && len(e.Geometry) == 0 && (e.Center != nil || e.Bounds != nil || strings.HasPrefix(j.head.Generator, "Overpass")) {
		return bare(id, e.Center != nil || e.Bounds != nil)
	}
	j.held.lines++
	if len(e.Nodes) == 0 {
		for _, p := range e.Geometry { // as `out skel geom` leaves them out
			if err := j.point(p); err != nil {
				return fmt.Errorf("way %d: %w", id, err)
			}
		}
		e.Nodes, j.shapes.refs = j.shapes.refs, nil
		return nil
	}
	if n := len(e.Geometry); n > 0 && n != len(e.Nodes) {
		return fmt.Errorf("way %d has %d nodes and a geometry of %d positions", id, len(e.Nodes), n)
	}
	for i, p := range e.Geometry {
		if p == nil {
			continue
		}
		lon, lat, ok, err := position(p.Lon, p.Lat)
		if err != nil {
			return fmt.Errorf("way %d: %w", id, err)
		}
		if ok {
			j.held.placed++
			j.shapes.node(e.Nodes[i], lon, lat)
		}
	}
	return nil
}

// point reads a position of a geometry without nodes.
func (j *jsonReader) point(p *jsonPoint) error {
	if p == nil {
		j.shapes.gap()
		return nil
	}
	lon, lat, ok, err := position(p.Lon, p.Lat)
	if err != nil {
		return err
	}
	if !ok {
		j.shapes.gap()
		return nil
	}
	j.held.placed++
	j.shapes.point(lon, lat)
	return nil
}

// relation reads the members of a relation, and their geometry.
func (j *jsonReader) relation(id int64, e *jsonElement) ([]Member, error) {
	j.member = j.member[:0]
	for i := range e.Members {
		of := &e.Members[i]
		kind, known := kinds[of.Type]
		ref, err := of.Ref.Int64()
		if !known || err != nil {
			return nil, fmt.Errorf("a member of relation %d lacks type or ref", id)
		}
		m := Member{Kind: kind, Ref: ref, Role: of.Role}
		if len(m.Role) > maxText {
			m.Role = ""
		}
		j.member = append(j.member, m)
		if kind == KindNode && of.Lon != "" {
			lon, lat, ok, err := position(of.Lon, of.Lat)
			if err != nil {
				return nil, fmt.Errorf("a member of relation %d: %w", id, err)
			}
			if ok {
				j.shapes.node(ref, lon, lat)
			}
		}
		for _, p := range of.Geometry {
			if err := j.point(p); err != nil {
				return nil, fmt.Errorf("a member of relation %d: %w", id, err)
			}
		}
		j.shapes.member(m)
	}
	return j.member, nil
}
