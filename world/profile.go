package world

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine/embedded/live"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// Profile is a table of usual speeds by the hour of the week, between OSM nodes and on OSM
// ways.
type Profile struct {
	hours [overlay.HoursOfWeek][]link.Segment
	ways  []wayWeek
}

type wayWeek struct {
	way  link.Way
	week week
}

// MaxProfile is the largest number of speeds in a profile, each hour counted.
const MaxProfile = 50_000_000

// ReadProfile reads a table of usual speeds: lines of
// from_node,to_node,hour,speed_kph, the hour counted from Monday 0:00, 0 to 167, or
// of Valhalla's historic speeds with places of OSM (weekLine). Lines that cannot be
// read are counted.
func ReadProfile(r io.Reader) (p *Profile, rejected int, err error) {
	p = &Profile{}
	lines := bufio.NewScanner(r)
	n, speeds, foreign := 0, 0, 0
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || n == 0 && (strings.HasPrefix(line, "from_node") || strings.HasPrefix(line, "edge_id")) {
			continue
		}
		added, err := p.add(line)
		if err != nil {
			rejected++
			if errors.Is(err, errForeign) {
				foreign++
			}
			continue
		}
		n++
		if speeds += added; speeds > MaxProfile {
			return nil, rejected, fmt.Errorf("more than %d speeds", MaxProfile)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, rejected, err
	}
	if foreign > n {
		return nil, rejected, fmt.Errorf("%d of %d lines are of edges of Valhalla's own graph; name places as way/ID/forward, way/ID/backward, way/ID/both or nodes/FROM/TO", foreign, rejected+n)
	}
	if n == 0 || rejected > n {
		return nil, rejected, fmt.Errorf("%d of %d lines are not from_node,to_node,hour,speed_kph", rejected, n+rejected)
	}
	return p, rejected, nil
}

// add reads a line and returns the number of its speeds.
func (p *Profile) add(line string) (int, error) {
	place, _, _ := strings.Cut(line, ",")
	if !strings.Contains(place, "/") {
		s, hour, ok := profileLine(line)
		if !ok {
			return 0, errLine
		}
		p.hours[hour] = append(p.hours[hour], s)
		return 1, nil
	}
	l, err := readWeekLine(line)
	switch {
	case err != nil:
		return 0, err
	case l.way.ID != 0:
		p.ways = append(p.ways, wayWeek{l.way, l.week})
		return overlay.HoursOfWeek, nil
	}
	for hour, kmh := range l.week {
		if kmh > 0 {
			l.segment.Kmh = kmh
			p.hours[hour] = append(p.hours[hour], l.segment)
		}
	}
	return overlay.HoursOfWeek, nil
}

func profileLine(line string) (s link.Segment, hour int, ok bool) {
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return s, 0, false
	}
	from, err1 := strconv.ParseInt(strings.TrimSpace(fields[0]), 10, 64)
	to, err2 := strconv.ParseInt(strings.TrimSpace(fields[1]), 10, 64)
	hour, err3 := strconv.Atoi(strings.TrimSpace(fields[2]))
	kmh, err4 := strconv.ParseFloat(strings.TrimSpace(fields[3]), 64)
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || hour < 0 || hour >= overlay.HoursOfWeek || !(kmh >= 1 && kmh <= 250) {
		return s, 0, false
	}
	return link.Segment{From: from, To: to, Kmh: uint8(kmh + 0.5)}, hour, true
}

// on returns the profile of a region's edges, nil where none of them has a speed. The
// result is kept with the region. Speeds between nodes take precedence over those of a
// whole way.
func (p *Profile) on(ctx context.Context, r *Region) *overlay.Profile {
	if x := r.roads; x.profile.of == p {
		return x.profile.edges
	}
	byEdge, err := p.onWays(ctx, r)
	if err != nil {
		return nil
	}
	for hour, list := range p.hours {
		speeds, err := r.embedded.SpeedsOf(ctx, list)
		if err != nil {
			return nil
		}
		for _, s := range speeds {
			row := byEdge[s.Edge]
			if row == nil {
				row = &week{}
				byEdge[s.Edge] = row
			}
			row[hour] = s.Kmh
		}
	}
	out := overlay.NewProfile(r.embedded.Edges())
	for _, e := range slices.Sorted(maps.Keys(byEdge)) {
		out.Set(e, *byEdge[e])
	}
	r.roads.profile.of, r.roads.profile.edges = p, out
	return out
}

// onWays returns the speeds of edges by those of their ways.
func (p *Profile) onWays(ctx context.Context, r *Region) (map[graph.Edge]*week, error) {
	byEdge := map[graph.Edge]*week{}
	t := &live.Report{}
	for i := range p.ways {
		way := p.ways[i].way
		way.At = uint32(i + 1) // the number of its line, in place of a time
		t.Ways = append(t.Ways, way)
	}
	if t.Ways == nil {
		return byEdge, nil
	}
	j, err := r.embedded.Join(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, s := range j.Speeds {
		w := p.ways[s.At-1].week
		byEdge[s.Edge] = &w
	}
	return byEdge, nil
}

// SetProfile sets the usual speeds, which are applied soon after; nil removes them.
func (r *Roads) SetProfile(p *Profile) {
	r.profile.Store(p)
	r.Wake()
}
