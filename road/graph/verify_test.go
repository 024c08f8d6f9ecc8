package graph

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// rich returns a graph with something in every array, restrictions over ways and
// limits included.
func rich(t testing.TB) *Graph {
	d := cross()
	d.road("xny", func(s *SegmentFacts) {
		s.Forward.Flags |= Conditional
		s.Forward.Limits = d.b.Limits(Limits{Car: Bounds{Height: 300}, Tunnel: 'C'})
		s.Forward.Attributes = d.b.Set("destination", "Newport")
		s.Country = 'G'<<8 | 'B'
	})
	d.ban(false, "nc", "ce", "ex")
	d.ban(false, "sc", "ce", "ey")
	d.ban(false, "nc", "cw")
	d.connect(LaneLink{1, 1, 0}, "nc", "cs")
	d.connect(LaneLink{1, 2, 1}, "nc", "ce", "ex")
	return d.build(t).g
}

func TestGraphRoundTrip(t *testing.T) {
	for name, g := range map[string]*Graph{"rich": rich(t), "empty": NewBuilder().Build()} {
		back := written(t, g)
		if err := back.Verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		a, b := reflect.ValueOf(*g), reflect.ValueOf(*back)
		for i := range a.NumField() {
			x, y := a.Field(i), b.Field(i)
			if x.Kind() == reflect.Slice && x.Len() == 0 && y.Len() == 0 {
				continue
			}
			if !reflect.DeepEqual(x.Interface(), y.Interface()) {
				t.Errorf("%s: %s was %v and is %v", name, a.Type().Field(i).Name, x, y)
			}
		}
	}
}

// TestVerifyCatches damages one array at a time.
func TestVerifyCatches(t *testing.T) {
	for _, c := range []struct {
		array  string // named in the error
		what   string
		damage func(g *Graph)
	}{
		{"node.first_out", "base two more", func(g *Graph) { g.Base += 2; g.CopyOf = g.CopyOf[:0]; g.Copies = g.Copies[:0] }},
		{"node.position", "off the globe", func(g *Graph) { g.Position[3].Lat = 900_000_001 }},
		{"segment.shape_at", "a node elsewhere", func(g *Graph) { g.Position[3].Lat++ }},
		{"node.first_out", "falls", func(g *Graph) { g.FirstOut[2], g.FirstOut[3] = g.FirstOut[3], g.FirstOut[2] }},
		{"node.first_out", "ends too far", func(g *Graph) { g.FirstOut[len(g.FirstOut)-1] += 7 }},
		{"edge.tail", "an edge at the wrong node", func(g *Graph) { g.FirstOut[1]++ }},
		{"node.flags", "unknown", func(g *Graph) { g.ByNode[0].Flags = TollGantry << 1 }},
		{"node.flags", "no toll", func(g *Graph) { g.ByNode[0].Flags = TollGantry }},
		{"node.limit", "record", func(g *Graph) { g.ByNode[0].Limit = 1 << 15 }},
		{"node.access", "unknown", func(g *Graph) { g.ByNode[0].Access = 1 << 15 }},
		{"edge.tail", "another node", func(g *Graph) { g.ByEdge[0].Tail++ }},
		{"edge.head", "no node", func(g *Graph) { g.ByEdge[0].Head = 1 << 30 }},
		{"edge.", "another node", func(g *Graph) { g.ByEdge[0].Head++ }},
		{"edge.opposite", "no edge", func(g *Graph) { g.ByEdge[4].Opposite = g.Base }},
		{"edge.opposite", "another edge", func(g *Graph) { g.ByEdge[4].Opposite ^= 1 }},
		{"edge.segment", "no segment", func(g *Graph) { g.SegmentDir[g.ByEdge[g.Forward[0]].Opposite] = 1 << 30 }},
		{"segment.forward", "turned round", func(g *Graph) { g.SegmentDir[g.Forward[2]] ^= 1 }},
		{"edge.access", "unknown", func(g *Graph) { g.ByEdge[1].Access = 1 << 15 }},
		{"edge.destination", "beyond access", func(g *Graph) { g.ByEdge[1].Access, g.ByEdge[1].Destination = Auto, Bus }},
		{"edge.speed", "too fast", func(g *Graph) { g.ByEdge[1].Speed = 253 }},
		{"edge.speed", "limit", func(g *Graph) { g.ByEdge[1].Limited = 255 }},
		{"edge.speed", "lorries", func(g *Graph) { g.ByEdge[1].TruckSpeed = 255 }},
		{"edge.timed", "another edge", func(g *Graph) { g.Timed[0]++ }},
		{"edge.timed", "one that is not", func(g *Graph) { g.Timed = append(g.Timed, g.Base-1) }},
		{"edge.timed", "one more", func(g *Graph) { g.ByEdge[(g.Timed[0]+1)%g.Base].Flags |= Conditional }},
		{"edge.flags", "within a junction", func(g *Graph) { g.ByEdge[1].Flags |= Internal }},
		{"edge.flags", "dead end", func(g *Graph) { g.ByEdge[1].Flags ^= DeadEnd }},
		{"edge.limit", "no record", func(g *Graph) { g.ByEdge[1].Limit = 9 }},
		{"edge.sign", "no set", func(g *Graph) { g.ByEdge[1].Attributes = 1 << 20 }},
		{"edge.out", "turned", func(g *Graph) { g.ByEdge[1].Out += 2 }},
		{"segment.forward", "another", func(g *Graph) { g.Forward[1] = g.Forward[0] }},
		{"segment.forward", "none", func(g *Graph) { g.Forward[1] = None }},
		{"segment.length", "not a number", func(g *Graph) { g.BySegment[1].Length = float32(math.NaN()) }},
		{"segment.length", "below zero", func(g *Graph) { g.BySegment[1].Length = -1 }},
		{"segment.length", "endless", func(g *Graph) { g.BySegment[1].Length = float32(math.Inf(1)) }},
		{"segment.length", "not that of the line", func(g *Graph) { g.BySegment[1].Length++ }},
		{"segment.class", "unknown", func(g *Graph) { g.BySegment[1].Class = 8 }},
		{"segment.use", "unknown", func(g *Graph) { g.BySegment[1].Use = Construction + 1 }},
		{"segment.surface", "unknown", func(g *Graph) { g.BySegment[1].Surface = 8 }},
		{"segment.flags", "unknown", func(g *Graph) { g.BySegment[1].Flags = 1 << 27 }},
		{"segment.hiking", "unknown", func(g *Graph) { g.BySegment[1].Hiking = 7 }},
		{"segment.country", "unknown", func(g *Graph) { g.Country[1] = 0x0041 }},
		{"segment.name", "no set", func(g *Graph) { g.BySegment[1].Name = 1 << 20 }},
		{"segment.shape_at", "falls", func(g *Graph) { g.ShapeAt[1] = 1 << 20 }},
		{"segment.shape_at", "one point", func(g *Graph) { g.ShapeAt[1] = 1 }},
		{"segment.shape_at", "shifted", func(g *Graph) { g.ShapeAt[len(g.ShapeAt)-2]-- }},
		{"shape", "off the globe", func(g *Graph) { g.Shape[1].Lon = -1_900_000_000 }},
		{"segment.shape_at", "another end", func(g *Graph) { g.Shape[0].Lon++ }},
		{"segment.length", "another bend", func(g *Graph) { g.Shape[len(g.Shape)-2] = geo.Fixed{} }},
		{"between.at", "falls", func(g *Graph) { g.ShapeNodes.At[0] = 1 }},
		{"between.at", "a block too many", func(g *Graph) { g.ShapeNodes.At = append(g.ShapeNodes.At, uint32(len(g.ShapeNodes.Code))) }},
		{"between", "a number too many", func(g *Graph) { g.ShapeNodes.Code = append(g.ShapeNodes.Code, 1); g.ShapeNodes.At[1]++ }},
		{"between", "cut short", func(g *Graph) { g.ShapeNodes.Code[len(g.ShapeNodes.Code)-1] |= 0x80 }},
		{"limits", "record 0", func(g *Graph) { g.Limits[0].Bus.Height = 1 }},
		{"limits", "category", func(g *Graph) { g.Limits[1].Tunnel = 'F' }},
		{"turns", "no edge", func(g *Graph) { g.Turns[0].To = g.Base }},
		{"turns", "from no edge", func(g *Graph) { g.Turns[0].From = 1 << 20 }},
		{"turns", "elsewhere", func(g *Graph) { g.Turns[0].To = g.ByEdge[g.Turns[0].To].Opposite }},
		{"turns", "no copy", func(g *Graph) { replacement(g).Replace = 0 }},
		{"turns", "no mode", func(g *Graph) { forbidding(g).Modes = 0 }},
		{"turns", "a mode on a copy", func(g *Graph) { replacement(g).Modes = Auto }},
		{"turns", "when", func(g *Graph) { g.Turns[0].When = 100 }},
		{"turns", "no set", func(g *Graph) { g.Turns[0].Set = 1 << 20 }},
		{"turns", "order", func(g *Graph) { g.Turns[0], g.Turns[len(g.Turns)-1] = g.Turns[len(g.Turns)-1], g.Turns[0] }},
		{"turns", "unflagged", func(g *Graph) { g.ByEdge[g.Turns[0].From].Flags &^= Turning }},
		{"edge.flags", "flagged", func(g *Graph) { g.Turns = g.Turns[1:] }},
		{"connections", "from no original", func(g *Graph) { g.Connections[0].From = g.Base }},
		{"connections", "elsewhere", func(g *Graph) { g.Connections[0].To = g.ByEdge[g.Connections[0].To].Opposite }},
		{"connections", "via elsewhere", func(g *Graph) { g.Vias[0] = g.ByEdge[g.Vias[0]].Opposite }},
		{"connections", "vias beyond the end", func(g *Graph) { g.Connections[1].ViaCount++ }},
		{"connections", "links beyond the end", func(g *Graph) { g.Connections[1].LinkCount++ }},
		{"connections", "not where the last ended", func(g *Graph) { g.Connections[1].LinkAt++ }},
		{"connections", "fewer than their links", func(g *Graph) { g.Links = append(g.Links, LaneLink{1, 1, 0}) }},
		{"connections", "order", func(g *Graph) { g.Connections[0].From = g.Connections[0].To }},
		{"connection.links", "lane 0", func(g *Graph) { g.Links[0].To = 0 }},
		{"connection.links", "lane 17", func(g *Graph) { g.Links[0].From = MaxLanes + 1 }},
		{"connection.links", "optional", func(g *Graph) { g.Links[0].Optional = 2 }},
		{"copy.of", "no original", func(g *Graph) { g.CopyOf[0] = g.Base }},
		{"copy.of", "another original", func(g *Graph) { g.CopyOf[0] ^= 1 }},
		{"copy.of", "another speed", func(g *Graph) { g.ByEdge[g.Base].Speed++ }},
		{"copy.at", "falls", func(g *Graph) { g.CopyAt[0] = 1 }},
		{"copies", "one twice", func(g *Graph) { g.Copies[1] = g.Copies[0] }},
		{"copies", "an original", func(g *Graph) { g.Copies[0] = 0 }},
		{"set.at", "falls", func(g *Graph) { g.SetAt[2] = 1 << 20 }},
		{"set.at", "set 0", func(g *Graph) { g.SetAt[1] = 1 }},
		{"set.pairs", "no text", func(g *Graph) { g.SetPair[0][1] = 1 << 20 }},
		{"text.at", "falls", func(g *Graph) { g.TextAt[2] = 1 << 20 }},
		{"text", "the key of names", func(g *Graph) { g.Text[0]++ }},
	} {
		t.Run(c.array+" "+c.what, func(t *testing.T) {
			g := rich(t)
			c.damage(g)
			if err := g.Verify(); err == nil || !strings.Contains(err.Error(), c.array) {
				t.Errorf("got %v, want an error that names %s", err, c.array)
			}
		})
	}
}

func replacement(g *Graph) *Turn {
	for i := range g.Turns {
		if g.Turns[i].Replace != None {
			return &g.Turns[i]
		}
	}
	panic("the graph has no replacement")
}

// TestVerifyTakesTheHighest checks that values as high as they may be are no damage.
func TestVerifyTakesTheHighest(t *testing.T) {
	g := rich(t)
	e := &g.ByEdge[0]
	e.Speed, e.Limited, e.TruckSpeed = maxSpeed, maxSpeed, maxSpeed
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
}

func forbidding(g *Graph) *Turn {
	for i := range g.Turns {
		if g.Turns[i].Replace == None {
			return &g.Turns[i]
		}
	}
	panic("the graph forbids no turn")
}

// TestSizesAreChecked leaves an element out of each array in turn: opening
// such a section fails without a look at what the arrays hold, or Verify does.
func TestSizesAreChecked(t *testing.T) {
	whole := rich(t)
	fields := reflect.TypeFor[Graph]()
	for i := range fields.NumField() {
		if name := fields.Field(i).Name; fields.Field(i).Type.Kind() != reflect.Slice || name == "Continuations" || name == "Junctions" { // in sections of their own
			continue
		}
		g := *whole
		v := reflect.ValueOf(&g).Elem().Field(i)
		v.Set(v.Slice(0, v.Len()-1))
		if err := openAndVerify(t, &g); err == nil {
			t.Errorf("%s short of an element went unnoticed", fields.Field(i).Name)
		}
		v.Set(v.Slice(0, 0))
		if err := openAndVerify(t, &g); err == nil {
			t.Errorf("%s without elements went unnoticed", fields.Field(i).Name)
		}
	}
}

func openAndVerify(t *testing.T, g *Graph) error {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := g.Write(path); err != nil {
		t.Fatal(err)
	}
	info, err := region.Adopt(dir, path, SectionName, Version)
	if err != nil {
		t.Fatal(err)
	}
	return region.WithSection(dir, info, func(s *region.Section) error {
		back, err := Read(s)
		if err != nil {
			return err
		}
		return back.Verify()
	})
}

// TestDamagedGraphsNeverPanic writes random bytes over the arrays: opening and
// verifying say so or find nothing, and what verifies can be walked.
func TestDamagedGraphsNeverPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		g := rich(t)
		columns := reflect.ValueOf(g).Elem()
		for range 1 + r.IntN(3) {
			v := columns.Field(r.IntN(columns.NumField()))
			if v.Kind() == reflect.Slice && v.Len() > 0 {
				scribble(v.Index(r.IntN(v.Len())), r)
			}
		}
		if g.Verify() != nil {
			continue
		}
		for e := range Edge(g.Edges()) {
			g.AppendShape(nil, g.Original(e))
			_ = g.NameOf(e, "name") + g.EdgeAttribute(e, "destination") + g.BySegment[g.Segment(e)].Class.String() + g.BySegment[g.Segment(e)].Use.String() + g.BySegment[g.Segment(e)].Surface.String()
			for _, turn := range g.TurnsFrom(e) {
				_ = g.Attribute(turn.Set, "condition")
			}
			_ = g.Limits[g.ByEdge[e].Limit]
			for _, c := range g.ConnectionsFrom(e) {
				for _, via := range g.ViasOf(&c) {
					_ = g.ByEdge[via].Head
				}
				_ = g.LinksOf(&c)[:c.LinkCount]
			}
		}
	}
}

// scribble puts a random number in a value, a small one often.
func scribble(v reflect.Value, r *rand.Rand) {
	n := r.Uint64()
	if r.IntN(2) == 0 {
		n = uint64(r.IntN(20))
	}
	switch v.Kind() {
	case reflect.Struct:
		if f := v.Field(r.IntN(v.NumField())); f.CanSet() {
			scribble(f, r)
		}
	case reflect.Array:
		scribble(v.Index(r.IntN(v.Len())), r)
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(n))))
	default:
		if v.CanInt() {
			v.SetInt(int64(n))
		} else {
			v.SetUint(n)
		}
	}
}
