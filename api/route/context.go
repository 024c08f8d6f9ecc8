package route

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/incidents"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// contextMetres is how far from the route incidents are listed, and contextMost how
// many.
const (
	contextMetres = 50
	contextMost   = 50
)

// around returns facts of a route beside the declarations of its caller; nil where there
// is no source of incidents.
func around(ctx context.Context, here *world.Region, line []geo.Point) (*rationale.Context, error) {
	known := here.Roads()
	if known == nil || known.Reports == nil || len(line) < 2 {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	way, err := (&along.Service{Engine: here.Engine}).Way(ctx, along.Ahead{Line: line, Depart: time.Now()}, along.Search{})
	if err != nil {
		return nil, err
	}
	found, err := known.Reports.Along(ctx, way, &incidents.Request{Buffer: contextMetres, Limit: contextMost, Exact: true})
	if err != nil {
		return nil, err
	}
	out := &rationale.Context{Incidents: []rationale.ContextIncident{}, Attribution: found.Attribution}
	for _, f := range found.Incidents {
		out.Incidents = append(out.Incidents, rationale.ContextIncident{
			ID: f.ID, Kind: f.Kind, Road: f.Road, Severity: f.Severity, Cause: f.Cause, Arc: f.Arc, ToArc: f.ToArc, On: f.On, Source: f.Source, Licence: f.Licence,
		})
	}
	var names []string
	for _, c := range found.Coverage {
		name := c.Name
		if c.Area != nil {
			name += " (" + *c.Area + ")"
		}
		names = append(names, name)
	}
	out.Coverage = fmt.Sprintf("incidents by %s; they are no causes of the route. %s", strings.Join(names, ", "), found.Caveat)
	return out, nil
}
