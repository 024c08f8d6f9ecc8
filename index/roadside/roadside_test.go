package roadside_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

func filled() *roadside.Index {
	north := 0
	return &roadside.Index{
		Cameras:  []roadside.Camera{{ID: "n1", At: geo.Fixed{Lon: 1, Lat: 2}, Kind: roadside.Fixed, Limit: 50, Travel: &north, Country: "GB"}, {ID: "r2", To: geo.Fixed{Lon: 3, Lat: 4}, Kind: roadside.Average}},
		Chargers: []roadside.Charger{{ID: "n3", Name: "Three", Sockets: []roadside.Socket{{Kind: "type2", Count: 2, KW: 22}}}},
	}
}

func TestRead(t *testing.T) {
	s, err := region.ReadSection(roadside.SectionName, regiontest.Written(t, filled().Write))
	if err != nil {
		t.Fatal(err)
	}
	x, err := roadside.Read(s)
	if want := filled(); err != nil || fmt.Sprint(x.Chargers) != fmt.Sprint(want.Chargers) || *x.Cameras[0].Travel != 0 || x.Cameras[1].To != want.Cameras[1].To {
		t.Errorf("%v %+v", err, x)
	}
}

func FuzzRead(f *testing.F) {
	whole := regiontest.Written(f, filled().Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 300)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(roadside.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		if x, err := roadside.Read(s); err == nil && x == nil {
			t.Error("nothing was read")
		}
	})
}
