package places

import (
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
)

// mostBetween is how many houses may lie between two ends of an interpolation.
const mostBetween = 500

// interpolate makes the houses between those that an interpolation way leads
// through, evenly along it.
func (c *collector) interpolate(w *osm.Way) {
	step := 0
	switch kind := w.Tags.Get("addr:interpolation"); kind {
	case "even", "odd":
		step = 2
	case "all":
		step = 1
	default:
		step, _ = strconv.Atoi(kind)
		if step < 1 || step > 100 {
			return
		}
	}
	var (
		line []geo.Point // since the last house
		last osm.Tags
		from int
	)
	for _, n := range w.Nodes {
		at := c.line([]int64{n})
		if len(at) == 0 {
			continue
		}
		line = append(line, at[0].Point())
		t := c.ends[n]
		if t == nil {
			continue
		}
		number, err := strconv.Atoi(strings.TrimSpace(t.Get("addr:housenumber")))
		if err != nil || number < 0 {
			last, line = nil, line[len(line)-1:]
			continue
		}
		if last != nil {
			c.between(w, line, from, number, step, last, t)
		}
		last, from, line = t, number, line[len(line)-1:]
	}
}

func (c *collector) between(w *osm.Way, line []geo.Point, from, to, step int, start, end osm.Tags) {
	if from > to {
		step = -step
	}
	if n := (to - from) / step; n <= 1 || n > mostBetween {
		return
	}
	tag := func(key string) string {
		return firstOf(osm.Tags{{Key: key, Value: w.Tags.Get(key)}, {Key: "1", Value: start.Get(key)}, {Key: "2", Value: end.Get(key)}}, key, "1", "2")
	}
	ruler := geo.NewRuler(line)
	for n := from + step; (n-to)*step < 0; n += step {
		share := float64(n-from) / float64(to-from)
		c.builder.Add(&place.Entry{
			Kind: place.Address, Source: place.Between, Number: w.ID, Part: n & 0x3fff, At: ruler.At(share * ruler.Length()).Point.Fix(), House: strconv.Itoa(n),
			Street: tag("addr:street"), Place: tag("addr:place"), City: tag("addr:city"), Postcode: tag("addr:postcode"), Suburb: tag("addr:suburb"), Country: tag("addr:country"),
		})
	}
}
