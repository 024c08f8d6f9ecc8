package along

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/along/weather"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var weatherDoc = edge.Doc{
	Summary: "Weather on the way, when one comes there", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}]}`,
	Description: "The forecast at samples of a route, every 15 km or quarter of an hour and at its ends, for the time one comes to each: temperature, wind and gusts along and across the course, rain, snow, visibility and the risk of ice, with the source and the age of the forecast. " +
		"Beyond what is forecast all is null, with the reason. 501 without a source of weather, and where the routing engine has no matrix.",
}

// WeatherAnswer is the weather.
type WeatherAnswer struct {
	weather.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (d Deps) weather(ctx context.Context, in *asked[ahead.WeatherRequest]) (*WeatherAnswer, error) {
	if err := d.Live.Weather.Enabled(); err != nil {
		return nil, err
	}
	way, err := d.ahead(&in.Body.Ahead)
	if err != nil {
		return nil, err
	}
	a, err := d.Live.Weather.Along(ctx, &along.Service{Engine: in.Region.Engine}, way)
	if err != nil {
		return nil, err
	}
	return &WeatherAnswer{*a, native.AnswerWarnings(in.Warnings...)}, nil
}
