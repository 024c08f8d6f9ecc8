package structures_test

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/structures"
)

const heading = "structure,lane,min_clearance_m,lat,lon,date,uncertainty_m\n"

func TestTablesComeBack(t *testing.T) {
	want := []structures.Structure{
		{Name: "A12/7, north", Lane: 2, Clearance: 5.031, Lat: 51.5, Lon: -0.1234567, Date: "2024-02-29", Uncertainty: 0.02, Length: 30, Kind: "structure"},
		{Name: "Mill Lane", Clearance: 3.2, Lat: -10, Lon: 170, Date: "2023-01-01", Length: structures.DefaultLength},
	}
	var b bytes.Buffer
	assert.NilError(t, structures.Write(&b, want))
	got, err := structures.Read(&b)
	assert.NilError(t, err)
	assert.DeepEqual(t, got, want)
	from, to := structures.Days(got)
	assert.Equal(t, from+"/"+to, "2023-01-01/2024-02-29")
	got, err = structures.Read(strings.NewReader("\ufeffLat, Lon ,owner,Structure,Date,MIN_CLEARANCE_M,uncertainty_m\n1,2,x,y,2020-01-01,4.5,0.01\n"))
	assert.NilError(t, err)
	assert.DeepEqual(t, got, []structures.Structure{{Name: "y", Clearance: 4.5, Lat: 1, Lon: 2, Date: "2020-01-01", Uncertainty: 0.01, Length: structures.DefaultLength}})
}

func TestNothingBecomesSafer(t *testing.T) {
	var b bytes.Buffer
	assert.NilError(t, structures.Write(&b, []structures.Structure{{Name: "a", Clearance: 4.4999, Date: "2020-01-01", Uncertainty: 0.0101, Length: 1}}))
	assert.Assert(t, strings.Contains(b.String(), "4.499,") && strings.Contains(b.String(), "0.011"), b.String())
}

func TestBadTables(t *testing.T) {
	for row, want := range map[string]string{
		"a,1,4.5,51,0,2024-13-01,0.1": `line 2: date is "2024-13-01"`,
		"a,1,14 ft,51,0,2024-01-01,0": `min_clearance_m is "14 ft"; it must be a number from 0.1 to 60`,
		"a,1,NaN,51,0,2024-01-01,0":   "min_clearance_m",
		"a,1,-4,51,0,2024-01-01,0":    "min_clearance_m",
		"a,1,4,91,0,2024-01-01,0":     "lat is",
		"a,1,4,51,,2024-01-01,0":      `lon is ""`,
		"a,1.5,4,51,0,2024-01-01,0":   "lane is 1.5",
		"a,1,4,51,0,2024-01-01,":      `uncertainty_m is ""`,
		",1,4,51,0,2024-01-01,0":      "structure has 0 bytes",
		"a,1,4":                       "wrong number of fields",
	} {
		_, err := structures.Read(strings.NewReader(heading + row + "\n"))
		assert.ErrorContains(t, err, want)
	}
	_, err := structures.Read(strings.NewReader(""))
	assert.ErrorContains(t, err, "table is empty")
	_, err = structures.Read(strings.NewReader("name,height\n"))
	assert.ErrorContains(t, err, `no column "structure"`)
}

func FuzzRead(f *testing.F) {
	f.Add(heading + "a,1,4.5,51,0,2024-01-01,0.1\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := structures.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		assert.NilError(t, structures.Write(&b, all))
		again, err := structures.Read(&b)
		if len(all) > 0 && err == nil {
			assert.Equal(t, len(again), len(all))
		}
	})
}
