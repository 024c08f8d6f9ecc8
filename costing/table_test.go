package costing

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// TestTable checks what every reader of the table relies on.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range List() {
		row := o.Row()
		if row.Name == "" || seen[row.Name] || Find(row.Name) != o || row.usual.of == 0 {
			t.Errorf("%q, after %s, is not an option of its own", row.Name, o-1)
		}
		seen[row.Name] = true
		if reach(row) > 1 || (reach(row) == 0) == (row.Idle == "" && o != DisableHierarchyPruning) {
			t.Errorf("%s sets %d fields and is idle for %q: it does something, or the answer says why it does not", o, reach(row), row.Idle)
		}
		if reach(row) == 0 && row.Effect != Unbounded {
			t.Errorf("%s sets nothing and has an effect", o)
		}
		if (row.Rationale == "") != (row.explained == 0) || row.explained&^row.usual.of != 0 {
			t.Errorf("%s is mentioned in a rationale where there is no word or no option", o)
		}
		for _, c := range All {
			if !o.In(c) {
				continue
			}
			if row.Doc(c) == "" {
				t.Errorf("%s.%s is not described", c, o)
			}
			switch def := row.Default(c); row.Kind {
			case Choice:
				if len(row.Values) == 0 || row.Text != "" && !slices.Contains(row.Values, row.Text) || len(row.codes) != len(row.Values) {
					t.Errorf("%s.%s: default %q is none of %q", c, o, row.Text, row.Values)
				}
			case Bool:
				if def != 0 || row.Range != toggle {
					t.Errorf("%s.%s: switches are off by default", c, o)
				}
			case Number, Integer:
				// The speed of a bicycle is by default that of its type.
				if row.Min >= row.Max || def > row.Max || def < row.Min && o != CyclingSpeed {
					t.Errorf("%s.%s: default %g in %g to %g", c, o, def, row.Min, row.Max)
				}
			}
		}
	}
	if Of(0) != nil || Option(0).In(Auto) || Named("spaceship").Valid() || Bicycle.Motorised() || !Truck.Motorised() {
		t.Error("the costings are mixed up")
	}
	if text, err := json.Marshal(map[Costing]Costing{Auto: Truck}); err != nil || string(text) != `{"auto":"truck"}` {
		t.Errorf("%s %v", text, err)
	}
	for _, c := range All {
		if Named(c.String()) != c || len(Of(c)) < 20 || Default(c).Costing != c {
			t.Errorf("%s is mixed up", c)
		}
	}
}

// reach returns how many accessors of a field a row has.
func reach(r *Row) (n int) {
	for _, has := range []bool{r.number != nil, r.small != nil, r.flag != nil} {
		if has {
			n++
		}
	}
	return n
}

// TestEveryFieldHasARow checks that the table has a row for every option: one without would
// be forgotten by defaults, bounds and tests.
func TestEveryFieldHasARow(t *testing.T) {
	var o Options
	v := reflect.ValueOf(&o).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if name == "Costing" {
			continue
		}
		field, rows := v.Field(i), 0
		for _, x := range List() {
			o = Options{}
			x.Row().Set(&o, 1)
			if !field.IsZero() {
				rows++
			}
		}
		if rows == 0 {
			t.Errorf("no row of the table sets %s", name)
		}
		if shared := name == "IncludeHOV"; rows > 1 && !shared {
			t.Errorf("%d rows set %s", rows, name)
		}
	}
}
