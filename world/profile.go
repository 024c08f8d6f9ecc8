package world

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// Profile is how fast traffic usually moves between OSM nodes, by the hour of the
// week.
type Profile struct {
	hours [overlay.HoursOfWeek][]link.Segment
}

// MaxProfile is how many speeds a profile may have.
const MaxProfile = 50_000_000

// ReadProfile reads a table of usual speeds: lines of
// from_node,to_node,hour,speed_kph, the hour counted from Monday 0:00, 0 to 167.
// Lines that cannot be read are counted.
func ReadProfile(r io.Reader) (p *Profile, rejected int, err error) {
	p = &Profile{}
	lines := bufio.NewScanner(r)
	n := 0
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || n == 0 && strings.HasPrefix(line, "from_node") {
			continue
		}
		s, hour, ok := profileLine(line)
		if !ok {
			rejected++
			continue
		}
		if n++; n > MaxProfile {
			return nil, rejected, fmt.Errorf("more than %d speeds", MaxProfile)
		}
		p.hours[hour] = append(p.hours[hour], s)
	}
	if err := lines.Err(); err != nil {
		return nil, rejected, err
	}
	if n == 0 || rejected > n {
		return nil, rejected, fmt.Errorf("%d of %d lines are not from_node,to_node,hour,speed_kph", rejected, n+rejected)
	}
	return p, rejected, nil
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

// on gives the profile of a region's edges; nil where none of them is known. What
// was worked out once is kept with the region.
func (p *Profile) on(ctx context.Context, r *Region) *overlay.Profile {
	if x := r.roads; x.profile.of == p {
		return x.profile.edges
	}
	byEdge := map[graph.Edge]*[overlay.HoursOfWeek]uint8{}
	for hour, list := range p.hours {
		speeds, err := r.embedded.SpeedsOf(ctx, list)
		if err != nil {
			return nil
		}
		for _, s := range speeds {
			row := byEdge[s.Edge]
			if row == nil {
				row = &[overlay.HoursOfWeek]uint8{}
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

// SetProfile has usual speeds count from the next look on; nil has none.
func (r *Roads) SetProfile(p *Profile) {
	r.profile.Store(p)
	r.Wake()
}
