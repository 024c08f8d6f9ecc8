package answer

import (
	"encoding/xml"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

const lettersPerSecond = 14.0 // of clear speech

// drives writes random drives through the county with everything that a step
// may hold, and hands over each leg.
func drives(t *testing.T, miles bool, check func(path graph.Path, line []geo.Point, l *osrmLeg)) {
	t.Helper()
	d, rnd := county(), rand.New(rand.NewPCG(7, 8))
	g := d.Graph
	for range 500 {
		e := graph.Edge(rnd.IntN(g.Edges()))
		pace := []float64{1.3, 5, 14, 31}[rnd.IntN(4)] * (1 + rnd.Float64())
		var path graph.Path
		for range 1 + rnd.IntN(14) {
			metres := g.EdgeLength(e)
			path = append(path, graph.Step{Edge: e, End: 1, Seconds: metres / pace, Turn: float64(rnd.IntN(3)), Cost: metres / pace * 1.1})
			n := g.ByEdge[e].Head
			e = g.FirstOut[n] + graph.Edge(rnd.IntN(int(g.FirstOut[n+1]-g.FirstOut[n])))
		}
		path[0].Turn = 0
		r := requestFrom(d, engine.OSRM, 'a', 'g')
		r.Voice, r.Banners, r.Miles, r.Annotations, r.Overview, r.Geometries = true, true, miles, engine.AnnotateAll|engine.AnnotateLimit, "full", "polyline6"
		rt := routeOf(r, path, d, 'a', 'g')
		a := decode[osrmAnswer](t, write(t, d, r, rt))
		line := guide.Shape(g, path).Points
		check(path, line, &a.Routes[0].Legs[0])
	}
}

// Announcements come nearer one by one, each is over before the next and before the
// manoeuvre, and every manoeuvre has one.
func TestVoiceLeavesTimeToSpeak(t *testing.T) {
	ahead := 0
	for _, miles := range []bool{false, true} {
		drives(t, miles, func(_ graph.Path, _ []geo.Point, l *osrmLeg) {
			for i, s := range l.Steps {
				if last := i == len(l.Steps)-1; last != (len(s.Voice) == 0) {
					t.Fatalf("step %d of %d says %v", i, len(l.Steps), s.Voice)
				}
				pace := s.Distance / math.Max(s.Duration, 0.1)
				for k, v := range s.Voice {
					if v.At > s.Distance+0.11 || v.At < 0 || k > 0 && v.At >= s.Voice[k-1].At {
						t.Fatalf("step %d of %.1f m says %+v", i, s.Distance, s.Voice)
					}
					takes := float64(len([]rune(v.Announcement))) / lettersPerSecond * pace
					until := 0.0
					if k+1 < len(s.Voice) {
						until = s.Voice[k+1].At
					}
					// A step may be too short for what must be said in it: that is
					// said at once.
					if v.At-until < takes*0.98-0.2 && v.At < s.Distance-0.11 {
						t.Fatalf("step %d of %.0f m at %.1f m/s: %q at %.0f m takes %.0f m, until %.0f", i, s.Distance, pace, v.Announcement, v.At, takes, until)
					}
					if k+1 < len(s.Voice) && v.At-until < takes*0.95-0.2 {
						t.Fatalf("step %d: %q at %.0f m is cut off at %.0f by what follows", i, v.Announcement, v.At, until)
					}
					if strings.HasPrefix(v.Announcement, "In ") {
						ahead++
					}
					var spoken struct {
						Text string `xml:",chardata"`
					}
					if err := xml.Unmarshal([]byte(v.SSML), &spoken); err != nil || spoken.Text != v.Announcement {
						t.Fatalf("%q is spoken as %q: %v", v.Announcement, v.SSML, err)
					}
				}
			}
		})
	}
	if ahead == 0 {
		t.Error("nothing is ever said ahead")
	}
}

// Banners name the next manoeuvre, in components that make up the text.
func TestBannersNameWhatComes(t *testing.T) {
	kinds := map[string]bool{}
	drives(t, false, func(_ graph.Path, _ []geo.Point, l *osrmLeg) {
		for i, s := range l.Steps {
			if i == len(l.Steps)-1 {
				if len(s.Banners) != 0 {
					t.Fatalf("the last step shows %+v", s.Banners)
				}
				continue
			}
			next := l.Steps[i+1].Maneuver
			for k, b := range s.Banners {
				if k == 0 && math.Abs(b.At-s.Distance) > 0.11 || k > 0 && b.At >= s.Banners[k-1].At {
					t.Fatalf("step %d of %.1f m shows %+v", i, s.Distance, s.Banners)
				}
				if b.Primary.Type != next.Type || b.Primary.Modifier != next.Modifier || b.Primary.Text == "" {
					t.Fatalf("step %d shows %+v before %+v", i, b.Primary, next)
				}
				if round := strings.Contains(next.Type, "roundabout") || strings.Contains(next.Type, "rotary"); round != (b.Primary.Degrees > 0) {
					t.Fatalf("%s shows %d degrees", next.Type, b.Primary.Degrees)
				}
				for _, c := range []*bannerContent{&b.Primary, b.Secondary, b.Sub} {
					if c == nil {
						continue
					}
					var words []string
					for _, x := range c.Components {
						kinds[x.Type] = true
						words = append(words, x.Text)
					}
					if strings.TrimSpace(strings.Join(words, " ")) != c.Text {
						t.Fatalf("%q has the components %q", c.Text, words)
					}
				}
			}
		}
	})
	for _, kind := range []string{"text", "icon", "delimiter", "exit", "exit-number"} {
		if !kinds[kind] {
			t.Errorf("no component is ever a %s", kind)
		}
	}
}

// Annotations have an element for each piece of the line, and add up.
func TestAnnotationsAddUp(t *testing.T) {
	drives(t, true, func(path graph.Path, line []geo.Point, l *osrmLeg) {
		a := l.Annotation
		n := len(line) - 1
		if len(a.Distance) != n || len(a.Duration) != n || len(a.Speed) != n || len(a.Weight) != n || len(a.DataSources) != n || len(a.MaxSpeed) != n || len(a.Nodes) != n+1 {
			t.Fatalf("%d pieces are described as %+v", n, a)
		}
		turns := 0.0
		for _, s := range path {
			turns += s.Turn
		}
		sum := func(list []float64) (all float64) {
			for _, v := range list {
				all += v
			}
			return all
		}
		if math.Abs(sum(a.Distance)-l.Distance) > 1 || math.Abs(sum(a.Duration)+turns-l.Duration) > 0.2 {
			t.Fatalf("%g m and %g s and %g at junctions; the leg has %g and %g", sum(a.Distance), sum(a.Duration), turns, l.Distance, l.Duration)
		}
		for i := range a.Distance {
			if a.DataSources[i] >= len(a.Metadata.Names) || a.Speed[i] <= 0 {
				t.Fatalf("piece %d: %+v", i, a)
			}
		}
	})
	d := county()
	r := requestFrom(d, engine.OSRM, 'a', 'g')
	r.Annotations = engine.AnnotateNodes
	body := string(write(t, d, r, routeOf(r, d.Path("abT"), d, 'a', 'T')))
	c := decode[osrmAnswer](t, []byte(body)).Routes[0].Legs[0].Annotation
	if len(c.Nodes) != 3 || slices.Contains(c.Nodes, nil) || strings.Contains(body, `"speed"`) {
		t.Errorf("nodes of three junctions: %s", body)
	}
	r.Annotations = engine.AnnotateAll
	rt := routeOf(r, d.Path("ab"), d, 'a', 'b')
	rt.Legs[0].Path[0].Begin, rt.Legs[0].Path[0].End = 0.5, 0.5
	c = decode[osrmAnswer](t, write(t, d, r, rt)).Routes[0].Legs[0].Annotation
	if len(c.Distance) != 1 || c.Distance[0] != 0 || len(c.Nodes) != 2 || c.Nodes[0] != nil {
		t.Errorf("of nowhere to go: %+v", c)
	}
}
