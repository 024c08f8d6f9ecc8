package cch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// The sections of a region: the topology, and the metrics of the default options
// of every kind of traveller with their measures.
const (
	TopologySection = "hierarchy"
	TopologyVersion = 5
	MetricsSection  = "metrics"
	MetricsVersion  = 9
)

func (t *Topology) fields() []region.Field {
	return []region.Field{
		region.FieldOf("edge", &t.Edge),
		region.FieldOf("rank", &t.Rank),
		region.FieldOf("depth", &t.Depth),
		region.FieldOf("tree", &t.Tree),
		region.FieldOf("first", &t.First),
		region.FieldOf("above", &t.Above),
		region.FieldOf("turn.at", &t.TurnAt),
		region.FieldOf("turn.arc", &t.TurnArc),
	}
}

// Write writes the topology's section file.
func (t *Topology) Write(path string) error {
	a := &region.Arrays{}
	for _, f := range t.fields() {
		f.Put(a)
	}
	return a.WriteFile(path)
}

// OpenTopology returns the topology of a region.
func OpenTopology(r *region.Region) (*Topology, error) {
	s, err := r.Section(TopologySection, TopologyVersion, TopologyVersion)
	if err != nil {
		return nil, err
	}
	return ReadTopology(s)
}

// ReadTopology returns the topology in a section.
func ReadTopology(s *region.Section) (*Topology, error) {
	t := &Topology{}
	for _, f := range t.fields() {
		if err := f.Get(s); err != nil {
			return nil, err
		}
	}
	return t, t.checkSizes()
}

func (t *Topology) checkSizes() error {
	n := len(t.Edge)
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"rank", len(t.Rank), n},
		{"depth", len(t.Depth), n},
		{"tree", len(t.Tree), n},
		{"first", len(t.First), n + 1},
		{"turn.at", len(t.TurnAt), n/turnEdges + 1},
	} {
		if c.got != c.want {
			return fmt.Errorf("section %s: array %s has %d elements, want %d", TopologySection, c.what, c.got, c.want)
		}
	}
	return nil
}

// WriteDefaults computes the metrics of the default options of every costing and their
// measures, on all cores, and writes them to the section file at path, each as soon as it is
// made. It ends with its context and returns the context's error.
func (t *Topology) WriteDefaults(ctx context.Context, g *graph.Graph, path string) error {
	return t.write(ctx, g, defaults(g), metricsFile{path, costing.All[:], true})
}

// making returns the costs of the edges and turns of a graph for a kind of traveller.
type making func(context.Context, costing.Costing) (turnFollower, costs, error)

func defaults(g *graph.Graph) making {
	return func(_ context.Context, k costing.Costing) (turnFollower, costs, error) {
		c := profile.New(g, costing.Default(k))
		return c, asked{c}, nil
	}
}

// asked computes the costs of a costing when they are needed: customisation needs each turn
// once, and no turn of an edge that may not be travelled.
type asked struct{ *profile.Costing }

func (c asked) Turn(e, f graph.Edge) uint32 { return c.Costing.Turn(e, f).Cost }

// withEdges are costs with a table of those of edges, which are needed again and again.
type withEdges struct {
	costs
	edge []uint32 // by original
}

func (c withEdges) Edge(e graph.Edge) uint32 { return c.edge[e] }

// tabled computes the costs of all edges.
func tabled(ctx context.Context, g *graph.Graph, c costs) costs {
	edge := make([]uint32, g.Base)
	for e := range edge {
		if e%2048 == 0 && ctx.Err() != nil {
			break // as customisation does
		}
		edge[e] = c.Edge(graph.Edge(e))
	}
	return withEdges{c, edge}
}

// metricsFile is a section file of the metrics of some kinds: those of the default
// options with the ranks that paths lead over and measures, or others without.
type metricsFile struct {
	path  string
	kinds []costing.Costing
	paths bool
}

// worthCollecting is how many arcs justify a garbage collection of the metrics that are
// written, before the next is made: some ten megabytes.
const worthCollecting = 1 << 20

// write fills a file with what of makes.
func (t *Topology) write(ctx context.Context, g *graph.Graph, of making, to metricsFile) error {
	sample := regionMetric{metric: &Metric{}}
	if to.paths {
		sample.measures = &Measures{}
	}
	s, err := region.NewStream(to.path, len(sample.fields(0))*len(to.kinds))
	if err != nil {
		return err
	}
	customiser := t.customiser(g, of)
	maker := func() kindWorker[regionMetric] {
		customise := customiser()
		return func(ctx context.Context, k costing.Costing) (x regionMetric, err error) {
			if len(t.Above) >= worthCollecting {
				runtime.GC() // the arrays are few and large; those that are written need not stay in memory beside the next
			}
			if x.metric, err = customise(ctx, k); err == nil && to.paths {
				x.measures, err = t.MeasureContext(ctx, profile.New(g, costing.Default(k)), x.metric)
			}
			return x, err
		}
	}
	var shared sharing
	err = eachKind(ctx, to.kinds, maker, func(k costing.Costing, x regionMetric) error {
		if err := shared.add(k, x, k == to.kinds[len(to.kinds)-1]); err != nil {
			return err
		}
		a := &region.Arrays{}
		for _, f := range x.fields(k) {
			f.Put(a)
		}
		return s.Put(a)
	})
	return errors.Join(err, s.Close())
}

// fields returns the arrays of a kind, and its pieces of those that it shares with others.
func (x regionMetric) fields(k costing.Costing) []region.Field {
	var all []region.Field
	for i, w := range x.directions() {
		all = append(append(all, w.KindFields(k.String()+directionNames[i])...), w.SharedFields(directionNames[i], x.measures != nil)...)
		if x.measures != nil {
			all = append(all, w.of.fields(searchgraph.SharedName+directionNames[i]+".measures")...)
		}
	}
	if x.measures != nil {
		all = append(all, x.measures.fields(k)...)
	}
	return all
}

// customiser returns workers that compute metrics of the costs that of returns.
func (t *Topology) customiser(g *graph.Graph, of making) func() kindWorker[*Metric] {
	return func() kindWorker[*Metric] {
		x := newCustomiser(t, pieceRanks)
		return func(ctx context.Context, k costing.Costing) (*Metric, error) {
			c, costs, err := of(ctx, k)
			if err != nil {
				return nil, err
			}
			kept, err := x.customise(ctx, newRespect(t, g, c, tabled(ctx, g, costs)), nil, nil)
			if err != nil {
				return nil, err
			}
			return kept.metric, nil
		}
	}
}

// kindWorker makes something for a kind of traveller.
type kindWorker[T any] func(context.Context, costing.Costing) (T, error)

// atOnce is how many kinds of travellers are computed at once, at most: a metric of a
// country takes a gigabyte, and its measures another.
const atOnce = 3

// eachKind makes something for kinds of travellers, with a worker for each core but no more
// than atOnce, and passes the results to take in the order of the kinds. A finished result
// waits for those before it, so memory has no more results than workers.
func eachKind[T any](ctx context.Context, kinds []costing.Costing, worker func() kindWorker[T], take func(costing.Costing, T) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	taken := make([]chan struct{}, len(kinds)+1)
	for i := range taken {
		taken[i] = make(chan struct{})
	}
	close(taken[0])
	var next atomic.Int32
	work := func() error {
		of := worker()
		for i := int(next.Add(1)) - 1; i < len(kinds); i = int(next.Add(1)) - 1 {
			x, err := of(ctx, kinds[i])
			if err != nil {
				return err
			}
			select {
			case <-taken[i]:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := take(kinds[i], x); err != nil {
				return err
			}
			close(taken[i+1])
		}
		return nil
	}
	var all parallel.Group
	for range min(runtime.GOMAXPROCS(0), len(kinds), atOnce) {
		all.Go(func() {
			err := errors.New("what is made for a kind of traveller came to nothing") // remains after a panic
			defer func() {
				if err != nil {
					stop(err) // for the workers that wait for this result
				}
			}()
			err = work()
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (m *Metric) directions() [2]*searchgraph.Graph {
	return [2]*searchgraph.Graph{&m.forward, &m.backward}
}

var directionNames = [2]string{".up", ".down"}

// OpenMetrics returns the metrics of the default options of a region.
func OpenMetrics(r *region.Region, t *Topology) (map[costing.Costing]*Metric, error) {
	s, err := r.Section(MetricsSection, MetricsVersion, MetricsVersion)
	if err != nil {
		return nil, err
	}
	return t.ReadMetrics(s)
}

// ReadMetrics returns the metrics of the default options in a section.
func (t *Topology) ReadMetrics(s *region.Section) (map[costing.Costing]*Metric, error) {
	return t.readMetrics(s, costing.All[:], true)
}

// readMetrics reads the metrics of kinds in a section, with or without paths.
func (t *Topology) readMetrics(s *region.Section, kinds []costing.Costing, paths bool) (map[costing.Costing]*Metric, error) {
	var pool Metric
	for i, w := range pool.directions() {
		if err := w.ReadPool(s, directionNames[i], paths); err != nil {
			return nil, err
		}
	}
	out := map[costing.Costing]*Metric{}
	for _, k := range kinds {
		m := pool
		for i, w := range m.directions() {
			if err := w.Read(s, k.String()+directionNames[i], len(t.Edge)); err != nil {
				return nil, err
			}
		}
		out[k] = &m
	}
	return out, nil
}
