package edge

import (
	"context"
	"net/http"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/geo"
)

// World is everything that depends on the region being served. A request
// holds one World from start to end, so a region may be replaced under load.
type World struct {
	Engine    engine.Engine
	Since     time.Time   // when it was taken into service
	Territory Territory   // zero where no region is served
	Examples  []Example   // journeys that the explorer offers
	Maps      *tiles.Maps // nil where the region has no map
	Landmarks *landmarks.Service
}

// Territory is what a region says of itself.
type Territory struct {
	ID           string
	Name         string
	Bounds       geo.Bounds
	Attribution  []string
	Elevation    string // where the heights are from, "" without heights
	OSMTimestamp *time.Time
	Built        time.Time
}

// Example is a journey that the explorer offers.
type Example struct {
	Title          string          `json:"title"`
	Costing        costing.Costing `json:"costing"`
	CostingOptions map[string]any  `json:"costing_options,omitempty"`
	ADR            *ADRProfile     `json:"adr,omitempty"`
	Points         [][2]float64    `json:"points"` // lon, lat
}

// ADRProfile is a lorry and its dangerous goods.
type ADRProfile struct {
	Dimensions TruckDimensions `json:"dimensions"`
	TunnelCode *string         `json:"tunnel_code" required:"true" nullable:"true" doc:"ADR tunnel restriction code such as B/D, C5000D or (—); null where the load has none"`
	Hazmat     bool            `json:"hazmat" doc:"whether the load is dangerous goods"`
}

// TruckDimensions are those of the loaded vehicle.
type TruckDimensions struct {
	Height    float64  `json:"height_m" minimum:"0" maximum:"10"`
	Width     float64  `json:"width_m" minimum:"0" maximum:"10"`
	Length    float64  `json:"length_m" minimum:"0" maximum:"50"`
	Weight    float64  `json:"gross_weight_t" minimum:"0" maximum:"100"`
	AxleLoad  *float64 `json:"axle_load_t,omitempty" nullable:"true" minimum:"0" maximum:"40"`
	AxleCount *int     `json:"axle_count,omitempty" nullable:"true" minimum:"2" maximum:"20"`
}

type worldKey struct{}

// WorldOf gives the World a request holds.
func WorldOf(ctx context.Context) (*World, error) {
	w, ok := ctx.Value(worldKey{}).(*World)
	if !ok || w == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "no region is being served yet; try again shortly").With("retry_after", 5)
	}
	return w, nil
}

// needing answers a row whose deployment lacks what it needs with a 501.
func (e *Edge) needing(row Row, next http.Handler) http.Handler {
	if row.Needs.Call == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, err := WorldOf(r.Context())
		if err == nil {
			if can := current.Engine.Can(); !can.Does(row.Needs.Call) {
				err = engine.NotEnabled(row.Needs.Name)
			}
		}
		if err != nil {
			refuse(w, r, err, row.envelope())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// inWorld lets a request hold the current World until it is answered.
func (e *Edge) inWorld(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current, release := e.options.Acquire()
		defer release()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), worldKey{}, current)))
	})
}
