package profile

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// Allowed reports whether the traveller may use an edge at all: by law, by the
// vehicle's size and load. What the options exclude is still allowed at the
// ends of a route; see Excluded.
func (c *Costing) Allowed(e graph.Edge) bool { return c.allowed(c.road(e)) }

func (c *Costing) allowed(r road) bool {
	const usual = fits | fitsNow | keepsOpen
	p := c.limits[r.edge.Limit]
	if p&usual != usual || r.edge.Access&c.mode == 0 { // almost all edges are open by these
		if p&fits == 0 || !c.openAlways(r.edge, p) && (c.best == nil || !c.best.Open[r.e]) {
			return false
		}
	}
	if r.segment.Use == graph.Construction && !c.opt.IgnoreConstruction {
		return false
	}
	return c.surfaces>>r.segment.Surface&1 != 0 && r.segment.Hiking <= c.hardestHike && !(c.noSteps && r.segment.Use == graph.Steps)
}

// OpenAlways reports whether an edge is open to the traveller, and to the vehicle by limits
// with conditions, while no rule with times is met.
func (c *Costing) OpenAlways(e graph.Edge) bool {
	r := &c.g.ByEdge[e]
	return c.openAlways(r, c.limits[r.Limit])
}

func (c *Costing) openAlways(r *graph.EdgeRecord, p pass) bool {
	return p&fitsNow != 0 && (c.entitled(r, p) || c.truckAtPenalty(r))
}

// entitled reports whether an edge is open to the traveller by access and by its
// conditions about the vehicle.
func (c *Costing) entitled(r *graph.EdgeRecord, p pass) bool {
	if c.byAccess(r) {
		return p&keepsOpen != 0
	}
	return p&opens != 0
}

// HasAccess reports whether an edge is open to the traveller by access, or by what the options
// make of access. Conditions are left out.
func (c *Costing) HasAccess(e graph.Edge) bool {
	r := &c.g.ByEdge[e]
	return c.byAccess(r) || c.truckAtPenalty(r)
}

func (c *Costing) byAccess(r *graph.EdgeRecord) bool {
	return r.Access&c.mode != 0 || c.lenient && c.byOptions(r)
}

// byOptions reports whether the options open an edge that access does not.
func (c *Costing) byOptions(r *graph.EdgeRecord) bool {
	return c.opt.IgnoreOneways && c.g.ByEdge[r.Opposite].Access&c.mode != 0 ||
		c.opt.IgnoreAccess && r.Access != 0 ||
		c.opt.IncludeHOV && c.opt.Costing == costing.Auto && r.Access&graph.HOV != 0
}

// truckAtPenalty reports whether a lorry may use, at a penalty, a road closed to
// lorries but open to cars.
func (c *Costing) truckAtPenalty(r *graph.EdgeRecord) bool {
	return c.atPenalty && r.Access&graph.Auto != 0
}

// grounds returns the surfaces and the hardest path that the options let the traveller
// travel, and whether there is no going over steps.
func (c *Costing) grounds() (surfaces, hardest uint8, noSteps bool) {
	const all = 1<<(graph.Impassable+1) - 1
	surfaces, hardest = all&^(1<<graph.Impassable), 255
	switch c.opt.Costing {
	case costing.Pedestrian:
		surfaces, hardest = all, c.opt.MaxHikingDifficulty
		if c.opt.Wheelchair {
			surfaces, noSteps = 1<<graph.Gravel-1, true
		}
	case costing.Bicycle:
		if c.opt.AvoidBadSurfaces == 1 {
			surfaces = 1<<(worstSurface[c.opt.Bicycle]+1) - 1
		}
	}
	return surfaces, hardest, noSteps
}

// Excluded reports whether the options exclude an edge, so that a route may
// use it only at its very start or end.
func (c *Costing) Excluded(e graph.Edge) bool { return c.excludes && c.isExcluded(c.road(e)) }

// isExcluded is Excluded for options that exclude something.
func (c *Costing) isExcluded(r road) bool {
	return r.segment.Flags&c.excluded != 0 || c.excludedToll(r) ||
		c.opt.ExcludeHighways && r.segment.Class == graph.Motorway && r.segment.Use == graph.Road ||
		c.opt.ExcludeFerries && (r.segment.Use == graph.Ferry || r.segment.Use == graph.RailFerry)
}

// fits reports whether limits without conditions let the vehicle and its load pass.
func (c *Costing) fits(l *graph.Limits) bool {
	o, b := &c.opt, c.bounds(l)
	if b == nil {
		return true
	}
	if over(o.Height, b.Height) || over(o.Width, b.Width) || over(o.Length, b.Length) || over(o.Weight, b.Weight) {
		return false
	}
	if o.Costing == costing.Auto {
		return true
	}
	if over(o.AxleLoad, b.AxleLoad) || l.Axles != 0 && o.AxleCount > l.Axles || o.Hazmat && l.Hazmat == graph.HazmatNo {
		return false
	}
	return o.TunnelFrom == 0 || l.Tunnel < o.TunnelFrom
}

// over reports whether a measure, in metres or tonnes, is above a limit in hundredths.
// Any excess is too much; the millionth absorbs the rounding of values as 3.4.
func over(have float64, limit uint16) bool { return limit != 0 && have*100-1e-6 > float64(limit) }
