package main

// feedSettings are about what the world tells at the moment.
type feedSettings struct {
	FuelPrices   []string `env:"SVC_FUEL_PRICES" help:"Prices of fuel: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Charging     []string `name:"charging-dir" env:"SVC_CHARGING_DIR" help:"Directory of charging points: files, folders of files, or addresses, separated by commas; see docs/feeds.md. Those of the map count without it." placeholder:"FILE"`
	Cameras      []string `env:"SVC_CAMERAS" help:"Cameras beside those of the map: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Weather      []string `env:"SVC_WEATHER" help:"Forecasts of the weather: the addresses of an Open-Meteo (…/v1/forecast) or of MET Norway (…/locationforecast/2.0/complete), or files; see docs/feeds.md." placeholder:"URL"`
	CameraPolicy string   `name:"camera-policy" env:"SVC_CAMERA_POLICY" help:"JSON file of the countries in which cameras may be told, beside the table in docs/feeds.md." type:"path" placeholder:"FILE"`
	Traffic      []string `env:"SVC_TRAFFIC" help:"Live traffic: files, folders of files, or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Incidents    []string `env:"SVC_INCIDENTS" help:"Incidents and closures: files, folders of files, or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Profile      string   `env:"SVC_TRAFFIC_PROFILE" help:"Usual speeds by the hour of the week, a CSV file; see docs/traffic.md." type:"path" placeholder:"FILE"`
	History      string   `env:"SVC_TRAFFIC_HISTORY" help:"Folder to keep live speeds in, hour by hour, for waygate traffic learn; see docs/traffic.md." type:"path" placeholder:"DIR"`
	Feeds        string   `env:"SVC_FEEDS" help:"JSON file that lists live feeds; see docs/feeds.md." type:"path" placeholder:"FILE"`
}
