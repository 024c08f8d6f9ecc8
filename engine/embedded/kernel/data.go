// Package kernel opens the road network of a region, with all that is derived from it
// alone. It has no notion of a call.
package kernel

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/snap"
)

// Data is the road network of an opened region, with all that is derived from it alone. It
// is safe for many goroutines and lives no longer than the region.
type Data struct {
	Graph     *graph.Graph
	Tree      *snap.Tree
	Mainlands map[costing.Costing]*island.Mainland
	Topology  *cch.Topology
	Stored    storedMetrics
	Date      *time.Time                    // of the OSM data; nil if unknown
	Version   string                        // of the importer
	Use       func() (done func(), ok bool) // keeps the region open
	// Conditions are the restrictions that hold only at times, read when first needed.
	Conditions func() *overlay.Conditions
	Current    overlay.Live
	// Places are some of the region's junctions, and height is that of the hierarchy, for estimates.
	Places func() []geo.Point
	Height func() int
	// ByWay are all segments by their ways, sorted when first needed.
	ByWay func() []graph.Segment
}

// storedMetrics are the metrics in a region's files, by costing.
type storedMetrics struct {
	Usual    map[costing.Costing]*cch.Metric // of the default options
	Measures map[costing.Costing]*cch.Measures
	Bounds   map[costing.Costing]*cch.Metric // of the lowest costs that options can lead to
}

// Open opens a region's road network. It takes milliseconds, whatever the region's size.
func Open(r *region.Region) (*Data, error) {
	g, err := graph.Open(r)
	if err != nil {
		return nil, err
	}
	d := &Data{Graph: g, Date: r.Manifest.OSMTimestamp, Version: r.Manifest.Builder, Use: r.Use}
	if d.Tree, err = snap.Open(r); err != nil {
		return nil, err
	}
	if d.Topology, err = cch.OpenTopology(r); err != nil {
		return nil, err
	}
	if d.Stored.Usual, err = cch.OpenMetrics(r, d.Topology); err != nil {
		return nil, err
	}
	if d.Stored.Measures, err = cch.OpenMeasures(r, d.Topology, d.Stored.Usual); err != nil {
		return nil, err
	}
	if d.Mainlands, err = island.Open(r, g); err != nil {
		return nil, err
	}
	if d.Stored.Bounds, err = cch.OpenBounds(r, d.Topology); err != nil {
		return nil, err
	}
	d.Conditions = sync.OnceValue(func() *overlay.Conditions { return overlay.ReadConditions(g) })
	d.ByWay = sync.OnceValue(func() []graph.Segment { return sortByWay(g) })
	d.Places, d.Height = sync.OnceValue(d.sample), sync.OnceValue(d.Topology.Height)
	return d, nil
}

// Sections names the sections of a region that the kernel is made of, whether
// every region has them or not.
func Sections() []string {
	return []string{
		graph.SectionName, graph.GradesSection, graph.ContinuationSection, graph.JunctionSection, snap.SectionName, island.Section,
		cch.TopologySection, cch.MetricsSection, cch.BoundsSection,
	}
}

// Verify reads all of Sections and reports the first thing that cannot be: checksums
// do not find a file that was written wrongly.
func (d *Data) Verify() error {
	if err := d.Graph.Verify(); err != nil { // with grades and how roads go on
		return err
	}
	if err := d.Tree.Verify(d.Graph); err != nil {
		return err
	}
	if err := island.Verify(d.Mainlands, d.Graph); err != nil {
		return err
	}
	if err := d.Topology.Verify(d.Graph); err != nil {
		return err
	}
	if err := d.Topology.VerifyMetrics(cch.MetricsSection, d.Stored.Usual); err != nil {
		return err
	}
	if err := d.Topology.VerifyMeasures(d.Stored.Measures); err != nil {
		return err
	}
	return d.Topology.VerifyMetrics(cch.BoundsSection, d.Stored.Bounds)
}

// EdgesOfWay lists the directed edges of an OSM way. The first call sorts the roads by way, which takes 4 bytes for
// each segment from then on.
func (d *Data) EdgesOfWay(way int64) []graph.Edge {
	var list []graph.Edge
	segments := d.ByWay()
	i, _ := slices.BinarySearchFunc(segments, way, func(s graph.Segment, way int64) int { return cmp.Compare(d.Graph.WayID[s], way) })
	for ; i < len(segments) && d.Graph.WayID[segments[i]] == way; i++ {
		forward := d.Graph.Forward[segments[i]]
		list = append(list, forward, d.Graph.ByEdge[forward].Opposite)
	}
	return list
}

// sortByWay lists all segments by their ways, those of one way as they lie in
// the graph.
func sortByWay(g *graph.Graph) []graph.Segment {
	list := make([]graph.Segment, g.Segments())
	for s := range list {
		list[s] = graph.Segment(s)
	}
	slices.SortFunc(list, func(a, b graph.Segment) int { return cmp.Or(cmp.Compare(g.WayID[a], g.WayID[b]), cmp.Compare(a, b)) })
	return list
}
