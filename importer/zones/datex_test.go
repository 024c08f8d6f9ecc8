package zones_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	judge "github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/importer/zones"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/realdata"
)

// table writes a table with one zone of a condition.
func table(condition string) string {
	return `<messageContainer xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><payload xsi:type="cz:ControlledZoneTablePublication"><publicationTime>2026-07-23T06:00:00Z</publicationTime>
	<publicationCreator><country>nl</country><nationalIdentifier>NDWNL</nationalIdentifier></publicationCreator><controlledZoneTable><new/>
	<urbanVehicleAccessRegulation id="NDW_1"><name><values><value lang="nl">Z</value></values></name><controlledZoneType>lowEmissionZone</controlledZoneType><urlForFurtherInformation>https://z.example.org</urlForFurtherInformation><status>active</status>
	<trafficRegulationOrder><issuingAuthority><values><value>Town</value></values></issuingAuthority><trafficRegulation><typeOfRegulation xsi:type="tro:AccessRestriction"><accessRestrictionType>noEntry</accessRestrictionType></typeOfRegulation>
	<condition xsi:type="tro:ConditionSet"><operator>and</operator>` + area + condition + `</condition></trafficRegulation></trafficRegulationOrder></urbanVehicleAccessRegulation></controlledZoneTable></payload></messageContainer>`
}

const area = `<conditions xsi:type="tro:LocationCondition"><locationByOrder xsi:type="loc:AreaLocation"><gmlMultiPolygon><gmlPolygon><exterior><posList>52.0 5.0 52.0 5.1 52.1 5.1 52.0 5.0</posList></exterior></gmlPolygon></gmlMultiPolygon></locationByOrder></conditions>`

// set joins conditions, and is is one of a vehicle.
func set(operator string, conditions ...string) string {
	negate := ""
	if operator == "not" {
		negate, operator = "<negate>true</negate>", "or"
	}
	return `<conditions xsi:type="tro:ConditionSet">` + negate + `<operator>` + operator + `</operator>` + strings.Join(conditions, "") + `</conditions>`
}

func is(name, value string) string {
	return `<conditions xsi:type="tro:VehicleCondition"><vehicleCharacteristics><x><` + name + `>` + value + `</` + name + `></x></vehicleCharacteristics></conditions>`
}

func during(from, until string) string {
	return `<conditions xsi:type="tro:ValidityCondition"><validityByOrder><validityTimeSpecification><overallStartTime>` + from + `</overallStartTime><overallEndTime>` + until + `</overallEndTime></validityTimeSpecification></validityByOrder></conditions>`
}

// lines writes rules in a line each.
func lines(rules []zone.Rule) string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, fmt.Sprintf("%s %v %v %v %s..%s", r.Effect, r.Vehicles, r.Fuels, r.MinimumEuro, r.From, r.Until))
	}
	return strings.Join(lines, "\n")
}

func TestControlledZones(t *testing.T) {
	always := during("2025-03-01T00:00:00Z", "2999-01-01T00:00:00Z")
	for name, c := range map[string]struct{ condition, want, note string }{
		"vans below a standard": {
			set("and", is("euVehicleCategory", "n1"), set("not", is("emissionClassificationEuro", "euro5"), is("emissionClassificationEuro", "euro6"), is("fuelType", "battery"), is("fuelType", "hydrogen"))) + always,
			"ban [van] [diesel gas petrol] map[diesel:5 gas:5 petrol:5] 2025-03-01..", "",
		},
		// Until the last day of a year by the clocks there, which is an hour before midnight.
		"a standard that goes": {
			set("or", is("euVehicleCategory", "n2"), is("euVehicleCategory", "n3")) + always + set("not", set("and", is("emissionClassificationEuro", "euro6"), during("2025-03-01T00:00:00Z", "2026-12-31T23:00:00Z")), is("fuelType", "battery")),
			"ban [hgv] [hydrogen diesel gas petrol] map[diesel:6 gas:6 petrol:6] 2025-03-01..2026-12-31\nban [hgv] [hydrogen diesel gas petrol] map[] 2027-01-01..", "",
		},
		"some lorries are as bad as all": {set("and", is("euVehicleCategory", "n3"), is("fuelType", "diesel")), "ban [hgv] [diesel] map[] ..", "some of N2 and N3 are free"},
		"who is old is banned with the young": {
			set("and", is("euVehicleCategory", "m1"), is("fuelType", "diesel"), set("not", is("vehicleAge", "40"))),
			"ban [car taxi phv motorhome] [diesel] map[] ..", "age",
		},
		"a dirty exception among clean ones frees nobody": {set("and", is("euVehicleCategory", "n1"), is("fuelType", "petrol"), set("not", is("emissionClassificationEuro", "euro2"))), "ban [van] [petrol] map[] ..", ""},
		"a word that is not known":                        {set("and", is("euVehicleCategory", "n1"), is("fuelType", "moonshine")), "ban [van] [electric hydrogen diesel gas petrol] map[] ..", "fuelType"},
		"nobody":                                          {set("or"), "", ""},
	} {
		got, err := zones.ReadControlledZones(strings.NewReader(table(c.condition)), "CC0-1.0")
		if err != nil || len(got.Zones) != 1 {
			t.Fatalf("%s: %v %v", name, err, got)
		}
		z := got.Zones[0]
		if lines(z.Rules) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, lines(z.Rules), c.want)
		}
		if len(z.Rules) > 0 && (c.note == "") != (z.Rules[0].Note == "") || c.note != "" && !strings.Contains(z.Rules[0].Note, c.note) {
			t.Errorf("%s: note %q", name, z.Rules[0].Note)
		}
		if problems, _ := judge.Check(got.Zones); len(problems) > 0 || z.TimeZone != "Europe/Amsterdam" || z.Charges.Publisher != "Town, by NDWNL" || z.Charges.Checked != "2026-07-23" || z.Country != "NL" || z.ID != "datex-ndw-1" {
			t.Errorf("%s: %+v %v", name, z, problems)
		}
	}
	for name, condition := range map[string]string{
		"an area left out":   `<conditions xsi:type="tro:ConditionSet"><negate>true</negate><operator>or</operator>` + area + `</conditions>`,
		"either, not both":   set("xor", is("fuelType", "diesel")),
		"no place":           strings.Replace(area, "52.0 5.0 52.0", "north 5.0 52.0", 1),
		"too many":           strings.Repeat(set("or"), 600),
		"hours are no years": strings.Repeat(during("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"), 40),
	} {
		if got, err := zones.ReadControlledZones(strings.NewReader(table(condition)), "CC0-1.0"); err != nil || len(got.Zones) != 0 || len(got.LeftOut) != 1 {
			t.Errorf("%s: %v %+v", name, err, got)
		}
	}
	for _, text := range []string{"", "<a>", "<html><body/></html>", `<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>`} {
		if _, err := zones.ReadControlledZones(strings.NewReader(text), ""); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// TestRealControlledZones judges vehicles by the two zones of the real sample.
func TestRealControlledZones(t *testing.T) {
	f, err := os.Open(realdata.File(t, "feeds/datex2-eu/netherlands-emission-zones.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	got, err := zones.ReadControlledZones(f, "CC0-1.0")
	if err != nil || len(got.Zones) != 2 || len(got.LeftOut) != 0 {
		t.Fatalf("%v %+v", err, got)
	}
	if problems, _ := judge.Check(got.Zones); len(problems) != 0 {
		t.Error(problems)
	}
	z := got.Zones[0]
	for _, c := range []struct {
		vehicle judge.Vehicle
		day     string
		want    judge.Verdict
	}{
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 4}, "2026-06-01", judge.Banned},
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 5}, "2026-06-01", judge.Free},
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 5}, "2027-01-01", judge.Banned},
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 6}, "2027-12-31", judge.Free},
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 6}, "2028-01-01", judge.Banned},
		{judge.Vehicle{Category: "van", Fuel: "electric"}, "2028-01-01", judge.Free},
		{judge.Vehicle{Category: "car", Fuel: "diesel", Euro: 1}, "2028-01-01", judge.Free},
		{judge.Vehicle{Category: "van", Fuel: "diesel", Euro: 1}, "2025-02-01", judge.Free},
		// No standard frees lorries above 12 tonnes, and rules have one kind of lorry.
		{judge.Vehicle{Category: "hgv", Fuel: "diesel", Euro: 6}, "2026-06-01", judge.Banned},
	} {
		at, err := time.Parse("2006-01-02 15:04", c.day+" 12:00")
		if err != nil {
			t.Fatal(err)
		}
		if v := judge.Judge(&z, &c.vehicle, at, nil); v.Verdict != c.want {
			t.Errorf("%+v on %s: %s, want %s", c.vehicle, c.day, v.Verdict, c.want)
		}
	}
}

// FuzzControlledZones reads damaged tables: an error, or zones with an area.
func FuzzControlledZones(f *testing.F) {
	f.Add(table(set("and", is("euVehicleCategory", "n1"), set("not", is("emissionClassificationEuro", "euro5"))) + during("2025-03-01T00:00:00Z", "2999-01-01T00:00:00Z")))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := zones.ReadControlledZones(strings.NewReader(text), "CC0-1.0")
		if err != nil {
			return
		}
		if len(zone.Place(got.Zones, false)) != len(got.Zones) {
			t.Error("a zone without a boundary")
		}
	})
}

// TestTablesThatExplode reads XML that goes on without end.
func TestTablesThatExplode(t *testing.T) {
	for text, says := range map[string]string{"<a>": "exceeded max depth", "<a/>": "longer than", "x": "longer than"} {
		_, err := zones.ReadControlledZones(strings.NewReader("<x>"+strings.Repeat(text, 17<<20/len(text))), "")
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}
