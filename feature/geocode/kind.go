package geocode

import (
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/place/lexicon"
)

// Kind returns the categories that a word or a phrase for a kind of places stands for, the most
// fitting first, where index, which may be nil, is what they are looked for in. Others are a
// violation of the member at location, which names those nearest to it.
func Kind(phrase string, index *find.Index, location string) (categories []string, wrong *fault.Violation) {
	var known []string
	if index != nil {
		known = index.Categories()
	}
	categories, near := lexicon.Resolve(phrase, known)
	if categories != nil {
		return categories, nil
	}
	message := "is no kind of place that is known here"
	if near == nil {
		message += ": say it with a token of OpenStreetMap such as fuel, or a phrase such as petrol station"
	} else {
		message += "; is it " + strings.Join(near, ", ") + "?"
	}
	return nil, &fault.Violation{Location: location, Value: fault.Clip(phrase), Message: message}
}

// KindOrToken is Kind, but that what is written as a token of OpenStreetMap is taken for one, of
// which there may be no place here, unless it is written like a known word.
func KindOrToken(phrase string, index *find.Index, location string) (categories []string, wrong *fault.Violation) {
	categories, wrong = Kind(phrase, index, location)
	if wrong == nil || strings.Trim(phrase, "abcdefghijklmnopqrstuvwxyz0123456789_:") != "" {
		return categories, wrong
	}
	if _, near := lexicon.Resolve(phrase, nil); near != nil && !strings.Contains(phrase, "_") {
		return nil, wrong
	}
	return []string{phrase}, nil
}
