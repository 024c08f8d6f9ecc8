package places

import (
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/osm"
)

// mostBetween is how many houses may lie between two ends of an interpolation.
const mostBetween = 500

// interpolate makes the houses between those that an interpolation way leads
// through, evenly along it.
func (c *collector) interpolate(w *osm.Way) {
	step, letters := 0, false
	switch kind := w.Tags.Get("addr:interpolation"); kind {
	case "even", "odd":
		step = 2
	case "all":
		step = 1
	case "alphabetic":
		step, letters = 1, true
	default:
		step, _ = strconv.Atoi(kind)
		if step < 1 || step > 100 {
			return
		}
	}
	var (
		line []geo.Point // since the last house
		last osm.Tags
		from houseEnd
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
		end, ok := endOf(t.Get("addr:housenumber"))
		if !ok {
			last, line = nil, line[len(line)-1:]
			continue
		}
		switch {
		case last == nil:
		case !letters:
			c.between(w, line, numbering{from.number, end.number, step, strconv.Itoa}, last, t)
		case from.number == end.number && from.letter > 0 && end.letter > 0:
			c.between(w, line, numbering{int(from.letter), int(end.letter), step, func(n int) string { return strconv.Itoa(end.number) + string(rune(n)) }}, last, t)
		}
		last, from, line = t, end, line[len(line)-1:]
	}
}

// houseEnd is the house at an end of an interpolation: its number, and the letter after it, 0
// for none.
type houseEnd struct {
	number int
	letter byte
}

// endOf reads the number of a house at an end; what follows a letter does not count.
func endOf(house string) (end houseEnd, ok bool) {
	house = strings.ToLower(strings.TrimSpace(house))
	digits := 0
	for digits < len(house) && house[digits] >= '0' && house[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(house[:digits])
	if err != nil {
		return end, false
	}
	end.number = n
	if rest := strings.TrimLeft(house[digits:], " -"); rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		end.letter = rest[0]
	} else if rest != "" {
		return end, false
	}
	return end, true
}

// numbering is the houses from one to another, both excluded, and how they are written.
type numbering struct {
	from, to, step int
	write          func(int) string
}

func (c *collector) between(w *osm.Way, line []geo.Point, houses numbering, start, end osm.Tags) {
	from, to, step := houses.from, houses.to, houses.step
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
		c.builder.Add(&build.Entry{
			Kind: place.Address, Source: place.Between, Number: w.ID, Part: n & 0x3fff, At: ruler.At(share * ruler.Length()).Point.Fix(), House: houses.write(n),
			Street: tag("addr:street"), Place: tag("addr:place"), City: tag("addr:city"), Postcode: tag("addr:postcode"), Suburb: tag("addr:suburb"), Country: tag("addr:country"),
		})
	}
}
