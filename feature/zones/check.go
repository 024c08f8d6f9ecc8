package zones

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/timezone"
	"github.com/waygate/waygate/index/zone"
)

// Problem is one fault of a file of zones.
type Problem struct {
	Zone  string // its id, or its number where it has none
	Where string // the member
	What  string
}

func (p Problem) String() string {
	if p.Zone == "" {
		return p.Where + " " + p.What
	}
	return "zone " + p.Zone + ": " + p.Where + " " + p.What
}

var (
	validID       = regexp.MustCompile(`^[a-z0-9]([a-z0-9:-]{0,78}[a-z0-9])?$`)
	validCountry  = regexp.MustCompile(`^[A-Z]{2}$`)
	validCurrency = regexp.MustCompile(`^[A-Z]{3}$`)
)

// mostProblems is the limit of problems that a check returns.
const mostProblems = 100

// Mended counts the faults that a check accepts.
type Mended struct {
	Slivers int // rings without an area, which it leaves out
	Loops   int // places where a ring crosses itself for some metres
}

// Check returns the problems of zones, a hundred at the most, and removes slivers from their
// boundaries. Files of boundaries must have been read before.
func Check(zones []zone.Zone) (problems []Problem, let Mended) {
	seen := map[string]bool{}
	for i := range zones {
		c := checker{z: &zones[i], name: zones[i].ID}
		if c.name == "" {
			c.name = fmt.Sprintf("number %d", i)
		}
		if seen[c.z.ID] {
			c.add("id", "is that of another zone too")
		}
		seen[c.z.ID] = true
		c.check()
		problems = append(problems, c.problems...)
		let.Slivers, let.Loops = let.Slivers+c.dropped, let.Loops+c.flaws
		if len(problems) > mostProblems {
			return append(problems[:mostProblems], Problem{Where: "more", What: "is wrong; these are the first"}), let
		}
	}
	return problems, let
}

type checker struct {
	z        *zone.Zone
	name     string
	problems []Problem
	dropped  int // slivers
	flaws    int // small loops
}

func (c *checker) add(where, what string, args ...any) {
	c.problems = append(c.problems, Problem{c.name, where, fmt.Sprintf(what, args...)})
}

func (c *checker) check() {
	z := c.z
	if !validID.MatchString(z.ID) {
		c.add("id", "is %q: 1 to 80 lower-case letters, digits, hyphens and colons", z.ID)
	}
	if z.Name == "" {
		c.add("name", "is missing")
	}
	if z.Country != "" && !validCountry.MatchString(z.Country) {
		c.add("country", "is %q: two letters of ISO 3166-1, such as GB", z.Country)
	}
	if _, err := time.LoadLocation(z.TimeZone); err != nil || z.TimeZone == "" || z.TimeZone == "Local" {
		c.add("time_zone", "is %q: an IANA name, such as Europe/London", z.TimeZone)
	}
	for i := range z.Rules {
		c.rule(fmt.Sprintf("rules[%d]", i), &z.Rules[i])
	}
	switch {
	case z.Charges != nil:
		c.source("charges", z.Charges)
	case len(z.Rules) > 0:
		c.add("charges", "is missing: rules need a publisher, url, licence and the day they were checked")
	}
	c.source("boundary", &z.Boundary.Source)
	c.boundary()
}

func (c *checker) rule(at string, r *zone.Rule) {
	among := func(member string, all []string, values ...string) {
		for _, v := range values {
			if !slices.Contains(all, v) {
				c.add(at+"."+member, "has %q: one of %v", v, all)
			}
		}
	}
	among("effect", Effects, r.Effect)
	among("vehicles", Categories, r.Vehicles...)
	among("fuels", Fuels, r.Fuels...)
	if len(r.Vehicles) == 0 {
		c.add(at+".vehicles", "is missing: whom the rule is for")
	}
	for fuel, euro := range r.MinimumEuro {
		among("minimum_euro", Fuels, fuel)
		if euro < 1 || euro > NewestEuro {
			c.add(at+".minimum_euro", "is %d for %s: 1 to %d", euro, fuel, NewestEuro)
		}
	}
	if r.Hours != "" {
		if _, err := hours.Parse(r.Hours); err != nil {
			c.add(at+".hours", "cannot be read in the syntax of opening_hours: %v", err)
		}
	}
	for member, day := range map[string]string{"from": r.From, "until": r.Until} {
		if _, err := time.Parse(dayForm, day); day != "" && err != nil {
			c.add(at+"."+member, "is %q: a day as YYYY-MM-DD", day)
		}
	}
	if r.From != "" && r.Until != "" && r.Until < r.From {
		c.add(at+".until", "is %s, before from (%s)", r.Until, r.From)
	}
	if r.Amount == nil {
		return
	}
	among("per", periods, r.Per)
	switch {
	case r.Effect != charge:
		c.add(at+".amount", "stands beside the effect %s: a charge has one", r.Effect)
	case *r.Amount <= 0 || *r.Amount > 10_000:
		c.add(at+".amount", "is %g: above 0, at most 10,000", *r.Amount)
	case !validCurrency.MatchString(r.Currency):
		c.add(at+".currency", "is %q: three letters of ISO 4217, such as GBP", r.Currency)
	}
}

func (c *checker) source(at string, s *zone.Source) {
	for member, value := range map[string]string{"publisher": s.Publisher, "licence": s.Licence} {
		if value == "" {
			c.add(at+"."+member, "is missing: what is served must say where it is from")
		}
	}
	if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		c.add(at+".url", "is %q: the http or https address where it is published", s.URL)
	}
	if _, err := time.Parse(dayForm, s.Checked); err != nil {
		c.add(at+".checked", "is %q: the day on which somebody compared it, YYYY-MM-DD", s.Checked)
	}
}

// least is the smallest box around a ring that is no sliver, in square degrees: some ten square
// metres.
const least = 1e-9

func (c *checker) boundary() {
	g := c.z.Boundary.Geometry
	if g == nil {
		c.add("boundary", "has neither geometry nor the file of one")
		return
	}
	g.Polygons = slices.DeleteFunc(g.Polygons, func(polygon geo.Polygon) bool {
		sliver := len(polygon) == 0 || size(polygon[0]) < least
		if sliver {
			c.dropped++
		}
		return sliver
	})
	for i, polygon := range g.Polygons {
		g.Polygons[i] = slices.DeleteFunc(polygon, func(r geo.Ring) bool {
			sliver := size(r) < least
			if sliver {
				c.dropped++
			}
			return sliver
		})
	}
	if len(g.Polygons) == 0 {
		c.add("boundary", "has no ring with an area")
		return
	}
	area := geo.NewArea(g.Polygons...)
	c.checkPlace(area.Bounds())
	for i, polygon := range g.Polygons {
		geo.NewArea(polygon).Crossings(func(one, other geo.Corner, at geo.Point) bool {
			if one.Ring == other.Ring && small(polygon[one.Ring], one.Index, other.Index) {
				c.flaws++
				return true
			}
			c.add("boundary", "crosses itself at lat %.6f, lon %.6f, in polygon %d", at.Lat, at.Lon, i)
			return false
		})
	}
}

// smallLoop is the size in degrees, some ten metres, up to which a loop is accepted that a ring
// makes where it crosses itself: boundaries that were drawn by hand have such loops.
const smallLoop = 1e-4

// small reports whether the loop of a ring between two sides that cross is below smallLoop.
func small(r geo.Ring, i, j int) bool {
	i, j = min(i, j), max(i, j)
	for _, loop := range []geo.Ring{r[i+1 : j+1], slices.Concat(r[j+1:], r[:i+1])} {
		b := geo.NoBounds()
		for _, p := range loop {
			b = b.Extend(p)
		}
		if b.Max.Lon-b.Min.Lon < smallLoop && b.Max.Lat-b.Min.Lat < smallLoop {
			return true
		}
	}
	return false
}

// checkPlace checks a boundary against the time zone, which finds swapped coordinates.
func (c *checker) checkPlace(b geo.Bounds) {
	world, err := timezone.World()
	if err != nil || c.z.TimeZone == "" {
		return
	}
	in := func(p geo.Point) bool {
		return p.Valid() && slices.ContainsFunc(world.At(p), func(name string) bool { return name == c.z.TimeZone })
	}
	corners := []geo.Point{b.Centre(), b.Min, b.Max, {Lon: b.Min.Lon, Lat: b.Max.Lat}, {Lon: b.Max.Lon, Lat: b.Min.Lat}}
	if slices.ContainsFunc(corners, in) {
		return
	}
	at := b.Centre()
	if in(geo.Point{Lon: at.Lat, Lat: at.Lon}) {
		c.add("boundary", "lies at lat %.4f, lon %.4f, outside the time zone %s, which the two swapped lie in: GeoJSON has longitude first", at.Lat, at.Lon, c.z.TimeZone)
		return
	}
	// Time zones at sea prove nothing: an invented island lies there.
	if land := slices.ContainsFunc(world.At(at), func(name string) bool { return !strings.HasPrefix(name, "Etc/") }); land {
		c.add("boundary", "lies at lat %.4f, lon %.4f, outside the time zone %s", at.Lat, at.Lon, c.z.TimeZone)
	}
}

// size returns the size of the box around a ring, in square degrees.
func size(r geo.Ring) float64 {
	if len(r) < 3 {
		return 0
	}
	b := geo.NoBounds()
	for _, p := range r {
		b = b.Extend(p)
	}
	return (b.Max.Lon - b.Min.Lon) * (b.Max.Lat - b.Min.Lat)
}
