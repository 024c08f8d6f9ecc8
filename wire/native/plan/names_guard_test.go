package plan_test

import (
	"testing"

	"github.com/waygate/waygate/wire/native/plan"
)

// TestNamesThatAreLeftOut has ids that nobody gave: they are numbered from 1, beside those given.
func TestNamesThatAreLeftOut(t *testing.T) {
	clusters, err := decoded[plan.ClusterRequest](`{"locations":[` + place + `,{"id":"own","lat":47.1,"lon":9.5},` + place + `],"clusters":1}`)
	if err != nil || clusters.Locations[0].ID != "stop-1" || clusters.Locations[1].ID != "own" || clusters.Locations[2].ID != "stop-3" {
		t.Errorf("%+v %v", clusters.Locations, err)
	}
	errands, err := decoded[plan.ErrandsRequest](`{"origin":` + place + `,"destination":` + place + `,"arrive_by":"2030-01-01T12:00:00Z","errands":[{"category":"fuel"},{"id":"own","category":"fuel"},{"place":` + place + `}]}`)
	if err != nil || errands.Errands[0].ID != "errand-1" || errands.Errands[1].ID != "own" || errands.Errands[2].ID != "errand-3" || len(errands.Points()) != 3 {
		t.Errorf("%+v %v", errands.Errands, err)
	}
	verify, err := decoded[plan.VerifyRequest](`{"claims":[{"name":"x"},{"id":"own","name":"x"},{"name":"y"}]}`)
	if err != nil || verify.Claims[0].ID != "claim-1" || verify.Claims[1].ID != "own" || verify.Claims[2].ID != "claim-3" {
		t.Errorf("%+v %v", verify.Claims, err)
	}
	whole, err := decoded[plan.OptimiseRequest](problem(`{"id":"v","start":`+place+`,"capacity":[1,2,3]},{"id":"w","start":`+place+`,"profile":"car","end":`+place+`},{"id":"x","start":`+place+`,"profile":"truck","speed_factor":2}`, job, ""))
	if err != nil || whole.Dimensions() != 3 || whole.Speeds() != 2 || len(whole.Profiles()) != 2 || len(whole.Points()) != 5 || whole.When() != nil || len(whole.Features()) != 1 {
		t.Errorf("%d dimensions, %d speeds, profiles %v, %d points, features %v, %v", whole.Dimensions(), whole.Speeds(), whole.Profiles(), len(whole.Points()), whole.Features(), err)
	}
}
