package receipt_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/wire/schema"
)

func none(string) costing.Option { return 0 }

// TestNamesOfABody has objects, lists, lists of lists, what is empty and what says nothing.
func TestNamesOfABody(t *testing.T) {
	for body, want := range map[string]string{
		`{}`: "", `{"a":1}`: "a", `{"a":null}`: "", `{"a":1,"b":"x","c":true}`: "a b c", `{"a":{}}`: "a", `{"a":[]}`: "a", `{"a":{"b":{"c":1}}}`: "a.b.c", `{"a":{"b":null}}`: "",
		`{"a":[1,2,3]}`: "a", `{"a":[[1,2],[3,4]]}`: "a", `{"a":[{"b":1},{"c":2},{"b":3}]}`: "a[].b a[].c", `{"a":[{"b":[{"c":1}]}]}`: "a[].b[].c", `{"a":[{}]}`: "a", `{"a":[[]]}`: "a", `{"a":[null]}`: "",
		`{"receipt":true,"a":1}`: "a", `{"x":{"receipt":true}}`: "x.receipt", `{"z":1,"a":{"y":1},"m":2}`: "z a.y m", `[]`: "", `7`: "", ``: "", `{"a":1,`: "a", `{"a":[1`: "a", `{"a":{"b":2}`: "a.b",
	} {
		if got := strings.Join(receipt.Names([]byte(body)), " "); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// TestReceiptIsBounded has as many parameters and warnings as are listed, and one more.
func TestReceiptIsBounded(t *testing.T) {
	for n, complete := range map[int]bool{0: true, 1: true, 199: true, 200: true, 201: false, 500: false} {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"p%d":1`, i))
		}
		names := receipt.Names([]byte("{" + strings.Join(members, ",") + "}"))
		if complete && len(names) != n || !complete && len(names) <= 200 || len(names) > 202 {
			t.Errorf("%d names of %d", len(names), n)
		}
		r := receipt.Write(&receipt.Request{Names: names, Option: none})
		if r.Complete != complete || len(r.Parameters) != min(n, 200) || n > 0 && (r.Parameters[0].Parameter != "p0" || r.Parameters[0].Status != receipt.Honoured) {
			t.Errorf("%d parameters: %d are listed, complete %v", n, len(r.Parameters), r.Complete)
		}
	}
	for n, complete := range map[int]bool{0: true, schema.MostWarnings: true, schema.MostWarnings + 1: false} {
		if r := receipt.Write(&receipt.Request{Option: none, Warnings: make([]engine.Warning, n)}); r.Complete != complete || r.Parameters == nil {
			t.Errorf("%d warnings: complete %v", n, r.Complete)
		}
	}
}

// TestWarningsNameParameters has warnings of the parameter itself, of what it stands in, of
// several, of entries of lists, and of others.
func TestWarningsNameParameters(t *testing.T) {
	for _, c := range []struct {
		name, of string
		code     int
		want     receipt.Status
	}{
		{"a", "a", schema.WithoutEffect, receipt.Ignored},
		{"a", "a", schema.UnknownMember, receipt.Unknown},
		{"a", "a", schema.UnknownOption, receipt.Unknown},
		{"a", "b", schema.WithoutEffect, receipt.Honoured},
		{"a", "", schema.WithoutEffect, receipt.Honoured},
		{"a", "aa", schema.WithoutEffect, receipt.Honoured},
		{"a", "b,a,c", schema.WithoutEffect, receipt.Ignored},
		{"a.b", "a", schema.WithoutEffect, receipt.Ignored},
		{"a.b.c", "a", schema.WithoutEffect, receipt.Ignored},
		{"a", "a.b", schema.WithoutEffect, receipt.Honoured},
		{"ab.c", "a", schema.WithoutEffect, receipt.Honoured},
		{"a[].b", "a[3].b", schema.WithoutEffect, receipt.Ignored},
		{"a[].b", "a", schema.WithoutEffect, receipt.Ignored},
		{"a[].b", "a[].c", schema.WithoutEffect, receipt.Honoured},
		{"a[].b", "a[12].b,x", schema.UnknownMember, receipt.Unknown},
	} {
		r := receipt.Write(&receipt.Request{Names: []string{c.name}, Option: none, Warnings: []engine.Warning{{Code: c.code, Text: "why", Of: c.of}}})
		if p := r.Parameters[0]; p.Status != c.want || (p.Reason == "why") != (c.want != receipt.Honoured) {
			t.Errorf("%+v: %+v", c, p)
		}
	}
	// Of two warnings the first counts.
	r := receipt.Write(&receipt.Request{Names: []string{"a"}, Option: none, Warnings: []engine.Warning{{Code: schema.WithoutEffect, Text: "one", Of: "a"}, {Code: schema.UnknownMember, Text: "two", Of: "a"}}})
	if p := r.Parameters[0]; p.Reason != "one" || p.Status != receipt.Ignored {
		t.Errorf("%+v", p)
	}
}

// TestOptionsByWhatAnEngineCan has options that bind, that do not and of which that is not known.
func TestOptionsByWhatAnEngineCan(t *testing.T) {
	for _, c := range []struct {
		name, option, value string
		can                 engine.Can
		want                receipt.Status
	}{
		{"codes that are enforced", "adr_tunnel_code", `"D"`, engine.Can{TunnelCodes: true, Vehicles: true}, receipt.Honoured},
		{"codes that are not", "adr_tunnel_code", `"D"`, engine.Can{Vehicles: true}, receipt.Ignored},
		{"an exclusion that binds", "exclude_tolls", `true`, engine.Can{Exclusions: true}, receipt.Honoured},
		{"an exclusion that may bind", "exclude_tolls", `true`, engine.Can{}, receipt.Unknown},
		{"an exclusion that is off", "exclude_tolls", `false`, engine.Can{}, receipt.Honoured},
	} {
		settings, _, bad := costing.Parse(costing.Truck, map[string]json.RawMessage{c.option: json.RawMessage(c.value)}, "")
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		r := receipt.Write(&receipt.Request{Names: []string{"costing_options.truck." + c.option}, Costing: costing.Truck, Settings: &settings, Option: receipt.Option(costing.Truck), Can: c.can})
		if p := r.Parameters[0]; p.Status != c.want || (p.Reason == "") != (c.want == receipt.Honoured) {
			t.Errorf("%s: %+v, want %s", c.name, p, c.want)
		}
	}
	// Every member of a load sets an option of lorries, and no other name does.
	option := receipt.Option(costing.Truck)
	for name, want := range map[string]string{
		"adr.tunnel_code": "adr_tunnel_code", "adr.hazmat": "hazmat", "adr.dimensions.height_m": "height", "adr.dimensions.width_m": "width", "adr.dimensions.length_m": "length",
		"adr.dimensions.gross_weight_t": "weight", "adr.dimensions.axle_load_t": "axle_load", "adr.dimensions.axle_count": "axle_count", "costing_options.truck.width": "width",
	} {
		if o := option(name); o == 0 || o.String() != want {
			t.Errorf("%s sets %v, want %s", name, o, want)
		}
	}
	for _, name := range []string{"adr", "height", "costing_options.auto.width", "costing_options.truck.", "costing_options.truck.nothing", ""} {
		if o := option(name); o != 0 {
			t.Errorf("%s sets %v", name, o)
		}
	}
	if words := receipt.Honoured.Words(); len(words) != 4 || !slices.Contains(words, "clamped") {
		t.Errorf("%v", words)
	}
}
