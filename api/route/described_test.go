package route

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/isochrone"
	"github.com/waygate/waygate/feature/matrix"
	"github.com/waygate/waygate/feature/osrm"
)

func TestDescribedMembersAreTheReadOnes(t *testing.T) {
	if got, want := membersOf(reflect.TypeFor[RouteRequest]()), directions.Members(); !slices.Equal(got, want) {
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s is read and not described", name)
			}
		}
		for _, name := range got {
			if !slices.Contains(want, name) {
				t.Errorf("%s is described and not read", name)
			}
		}
	}
	if got, want := membersOf(reflect.TypeFor[RouteLocation]()), body.LocationMembers(); !slices.Equal(got, want) {
		t.Errorf("a location is described with %v and read with %v", got, want)
	}
	if got, want := membersOf(reflect.TypeFor[MatrixRequest]()), matrix.Members(); !slices.Equal(got, want) {
		t.Errorf("a matrix is described with %v and read with %v", got, want)
	}
	if got, want := membersOf(reflect.TypeFor[IsochroneRequest]()), isochrone.Members(); !slices.Equal(got, want) {
		t.Errorf("an isochrone is described with %v and read with %v", got, want)
	}
	var described []string
	for _, p := range compatibleParameters() {
		if p.In == "query" {
			described = append(described, p.Name)
		}
	}
	slices.Sort(described)
	var read []string
	for _, name := range directions.Parameters() {
		if !slices.Contains(silent, name) {
			read = append(read, name)
		}
	}
	if !slices.Equal(described, read) {
		t.Errorf("the query is described with %v and read with %v", described, read)
	}
}

func TestDescribedParametersAreTheReadOnes(t *testing.T) {
	for service, read := range map[string][]string{
		"table": osrm.TableParameters(), "nearest": osrm.NearestParameters(), "match": osrm.MatchParameters(), "trip": osrm.TripParameters(),
	} {
		var described []string
		for _, p := range familyParameters("", read) {
			described = append(described, p.Name)
		}
		for _, name := range read {
			if slices.Contains(described, name) == slices.Contains(silent, name) {
				t.Errorf("%s: %s is described %v", service, name, slices.Contains(described, name))
			}
		}
	}
}

func membersOf(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			names = append(names, membersOf(t.Field(i).Type)...)
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
