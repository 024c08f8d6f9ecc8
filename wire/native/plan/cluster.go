package plan

import (
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// ClusterRequest is the body of POST /v1/cluster.
type ClusterRequest struct {
	Locations   []ClusterLocation `json:"locations" minItems:"1" maxItems:"5000" of:"locations" doc:"the stops"`
	Clusters    *int              `json:"clusters,omitempty" minimum:"1" maximum:"5000" doc:"how many clusters to make, as equal as can be by balance_by. Just one of this and the max_ members is given"`
	MaxCount    *int              `json:"max_cluster_locations,omitempty" minimum:"1" maximum:"5000" doc:"most stops of a cluster, in place of clusters"`
	MaxLoad     *float64          `json:"max_cluster_load,omitempty" exclusiveMinimum:"0" maximum:"1000000000" doc:"most load of a cluster, in place of clusters"`
	MaxService  *float64          `json:"max_cluster_service_s,omitempty" exclusiveMinimum:"0" maximum:"1000000000" unit:"seconds" doc:"most time of service of a cluster, in place of clusters"`
	BalanceBy   string            `json:"balance_by,omitempty" enum:"count,load,service" doc:"what clusters are to be equal in: count (default with clusters and max_cluster_locations), load (of max_cluster_load) or service (of max_cluster_service_s)"`
	Territories Territories       `json:"territories,omitempty" maxItems:"64" of:"territories" doc:"areas whose stops are clustered apart; those in none are one more. A stop in several belongs to the first"`
	Measure     string            `json:"measure,omitempty" enum:"straight,road" default:"straight" doc:"how far apart stops are: as the crow flies, or by the time on the road between them, both ways averaged, which takes a matrix and so at most as many stops as that allows (500 by default)"`
	Seed        uint64            `json:"seed,omitempty" maximum:"9007199254740991" default:"42" doc:"where to begin: the same request with the same seed gives the same clusters everywhere"`
	native.Travel
}

// ClusterLocation is a stop.
type ClusterLocation struct {
	ID string `json:"id,omitempty" maxLength:"256" doc:"comes back; stop-1 and so on without it"`
	native.Position
	Load    float64 `json:"load,omitempty" minimum:"0" maximum:"1000000000" doc:"in any unit; where no stop has one clusters are equal in count, or there is one, with a warning" default:"0"`
	Service float64 `json:"service_s,omitempty" minimum:"0" maximum:"1000000000" unit:"seconds"`
}

// Check checks what depends on several members.
func (r *ClusterRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	native.OneOf(c, "how many clusters there are", native.Way{Name: "clusters", Given: r.Clusters != nil}, native.Way{Name: "max_cluster_locations", Given: r.MaxCount != nil}, native.Way{Name: "max_cluster_load", Given: r.MaxLoad != nil}, native.Way{Name: "max_cluster_service_s", Given: r.MaxService != nil})
	r.Territories.differ(c)
	seen := map[string]int{}
	for i := range r.Locations {
		l := &r.Locations[i]
		if l.ID == "" {
			l.ID = fmt.Sprintf("stop-%d", i+1)
		}
		if before, repeated := seen[l.ID]; repeated {
			c.Refuse(fmt.Sprintf("locations[%d].id", i), l.ID, "is that of locations[%d] too: ids must differ", before)
		}
		seen[l.ID] = i
		r.fits(c, i)
	}
	if r.Clusters != nil && *r.Clusters > len(r.Locations) {
		c.Refuse("clusters", *r.Clusters, "is more than the %d locations", len(r.Locations))
	}
	if by := r.forced(); by != "" && r.BalanceBy != "" && r.BalanceBy != by {
		c.Refuse("balance_by", r.BalanceBy, "must be %s, or be left out: that is what the limit is of", by)
	}
	if r.Measure == "road" && r.Costing == costing.Truck {
		c.Refuse("costing", "truck", "is Premium, and clusters are not: measure by another costing")
	}
}

// fits refuses a stop that no cluster could hold.
func (r *ClusterRequest) fits(c *schema.Context, i int) {
	l := &r.Locations[i]
	if r.MaxLoad != nil && l.Load > *r.MaxLoad {
		c.Refuse(fmt.Sprintf("locations[%d].load", i), l.Load, "is more than max_cluster_load (%g): no cluster could hold it", *r.MaxLoad)
	}
	if r.MaxService != nil && l.Service > *r.MaxService {
		c.Refuse(fmt.Sprintf("locations[%d].service_s", i), l.Service, "is more than max_cluster_service_s (%g): no cluster could hold it", *r.MaxService)
	}
}

// forced names the measure that a limit balances by; "" where there is none.
func (r *ClusterRequest) forced() string {
	switch {
	case r.MaxCount != nil:
		return "count"
	case r.MaxLoad != nil:
		return "load"
	case r.MaxService != nil:
		return "service"
	}
	return ""
}

// By names the measure in which clusters are to be equal.
func (r *ClusterRequest) By() string {
	if by := r.forced(); by != "" {
		return by
	}
	if r.BalanceBy != "" {
		return r.BalanceBy
	}
	return "count"
}

// Points returns the stops.
func (r *ClusterRequest) Points() []geo.Point {
	list := make([]geo.Point, len(r.Locations))
	for i := range r.Locations {
		list[i] = r.Locations[i].Point()
	}
	return list
}
