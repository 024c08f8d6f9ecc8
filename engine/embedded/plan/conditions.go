package plan

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/snap"
)

// applyConditions works out what the request and the live feeds change on the roads.
func (p *Searcher) applyConditions() error {
	o := overlay.WithLayer(p.layer())
	p.Weights.Overlay = o // for excluded locations that are on no road that is closed now
	ctx := p.Ctx
	if ctx == nil {
		ctx = context.Background()
	}
	for _, ring := range p.Query.ExcludePolygons {
		if err := o.ClosePolygon(ctx, p.Base.Graph, p.Base.Tree, ring); err != nil {
			return err
		}
	}
	if len(p.Query.ExcludeAreas) > 0 {
		c, err := p.Base.closure(ctx, p.Query.ExcludeAreas)
		if err != nil {
			return err
		}
		o.Share(c)
	}
	for i := range p.Query.ExcludeLocations {
		if err := p.closeLocation(o, i); err != nil {
			return err
		}
	}
	p.Excludes = len(p.Query.ExcludePolygons)+len(p.Query.ExcludeAreas)+len(p.Query.ExcludeLocations) > 0
	if o.Unchanged() {
		p.Weights.Overlay = nil
	}
	return nil
}

// layer returns the layer of live feeds that counts for the request, and whether the
// request's metric has it in it.
func (p *Request) layer() (l *overlay.Layer, applied bool) {
	if l := p.Weights.Layer; l != nil {
		return l, true
	}
	return p.Base.Current.Get().Layer(p.Who.View), false
}

// view returns the part of live feeds and usual speeds that counts for the request: live
// values where the journey is now, closures of now where the request has no time and its
// metric lacks them, and usual speeds where it has one. moment is the local time of the
// journey.
func (p *Request) view(at time.Time) (v overlay.View) {
	w := p.Query.When
	now := w != nil && w.Type == engine.Now
	if w != nil && p.Query.Wants("predicted") {
		v.Hour = uint16(overlay.HourOfWeek(at)) + 1
	}
	if !p.Query.Wants("current") {
		return v
	}
	if !p.Query.Options.On(costing.IgnoreClosures) {
		switch {
		case w == nil && !p.Arrives:
			v.Closing = overlay.HoldingClosures
		case w == nil, now:
			v.Closing = overlay.LastingClosures
		}
	}
	v.Live = now
	return v
}

// closeLocation closes the roads that an excluded location is on, at its place: a
// path may begin behind it and end before it.
func (p *Searcher) closeLocation(o *overlay.Overlay, index int) error {
	l := &p.Query.ExcludeLocations[index]
	cutoff := SearchCutoff(l)
	nearest := math.Inf(1)
	p.Nearby(l.Point, cutoff, func(c snap.Candidate) bool {
		if c.Metres > nearest+sameSpot {
			return false
		}
		for _, end := range p.Usable(l, c) {
			nearest = math.Min(nearest, c.Metres)
			o.Close(end.Edge, overlay.Span{From: end.Along, To: end.Along})
		}
		return true
	})
	if err := p.ContextError(); err != nil {
		return err
	}
	if math.IsInf(nearest, 1) {
		return engine.Refused(engine.CodeNoSegment, "exclude_locations[%d] (%s) has no road usable by %s within %.0f m", index, l.Point, p.Query.Costing, cutoff)
	}
	return nil
}
