// Command generate makes the file of vehicles out of Open EV Data's:
//
//	go run ./ev/preset/generate ev-data.json ev/preset/vehicles.json.gz
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/waygate/waygate/ev/preset"
)

// source is as much of the data as is used.
type source struct {
	Data []struct {
		ID      string   `json:"id"`
		Brand   string   `json:"brand"`
		Model   string   `json:"model"`
		Variant string   `json:"variant"`
		Type    string   `json:"vehicle_type"`
		Year    int      `json:"release_year"`
		Battery float64  `json:"usable_battery_size"`
		AC      *charger `json:"ac_charger"`
		DC      *charger `json:"dc_charger"`
		Energy  struct {
			Average float64 `json:"average_consumption"`
		} `json:"energy_consumption"`
	} `json:"data"`
}

type charger struct {
	Ports []string `json:"ports"`
	Power float64  `json:"max_power"`
	Curve []struct {
		Percent float64 `json:"percentage"`
		Power   float64 `json:"power"`
	} `json:"charging_curve"`
	Default bool `json:"is_default_charging_curve"`
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var other = regexp.MustCompile(`[^a-z0-9]+`)

func run(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var in source
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	var list []preset.Vehicle
	seen := map[string]bool{}
	for _, d := range in.Data {
		if d.Battery <= 0 || d.Energy.Average <= 0 {
			continue
		}
		v := preset.Vehicle{Brand: d.Brand, Model: d.Model, Variant: d.Variant, Type: d.Type, Year: d.Year, KWh: d.Battery, Average: d.Energy.Average}
		name := strings.ToLower(v.Name())
		if v.Year > 0 {
			name += fmt.Sprint(" ", v.Year)
		}
		v.ID = strings.Trim(other.ReplaceAllString(name, "-"), "-")
		if seen[v.ID] {
			v.ID += "-" + d.ID[:8]
		}
		seen[v.ID] = true
		if d.AC != nil {
			v.AC, v.Ports = d.AC.Power, append(v.Ports, d.AC.Ports...)
		}
		if d.DC != nil {
			v.DC, v.Ports, v.Assumed = d.DC.Power, append(v.Ports, d.DC.Ports...), d.DC.Default
			for _, p := range d.DC.Curve {
				if n := len(v.Curve); p.Power > 0 && (n == 0 || p.Percent > v.Curve[n-1][0]) {
					v.Curve = append(v.Curve, [2]float64{p.Percent, p.Power})
				}
			}
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b preset.Vehicle) int { return cmp.Compare(a.ID, b.ID) })
	plain, err := json.Marshal(list)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(plain); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if _, err := preset.Read(out.Bytes()); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
