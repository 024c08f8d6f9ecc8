package main

// feedSettings are the settings of live data.
type feedSettings struct {
	FuelPrices   []string `env:"SVC_FUEL_PRICES" help:"Prices of fuel: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Charging     []string `name:"charging-dir" env:"SVC_CHARGING_DIR" help:"Directory of charging points, in addition to those of the map: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Cameras      []string `env:"SVC_CAMERAS" help:"Cameras in addition to those of the map: files, folders of files, or addresses, separated by commas; see docs/feeds.md." placeholder:"FILE"`
	Weather      []string `env:"SVC_WEATHER" help:"Forecasts of the weather: the addresses of an Open-Meteo (…/v1/forecast) or of MET Norway (…/locationforecast/2.0/complete), or files; see docs/feeds.md." placeholder:"URL"`
	CameraPolicy string   `name:"camera-policy" env:"SVC_CAMERA_POLICY" help:"JSON file of countries in which cameras may be reported, in addition to the table in docs/feeds.md." type:"path" placeholder:"FILE"`
	Traffic      []string `env:"SVC_TRAFFIC" help:"Live traffic: files, folders of files, or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Incidents    []string `env:"SVC_INCIDENTS" help:"Incidents and closures: files, folders of files, or addresses, separated by commas; see docs/traffic.md." placeholder:"FILE"`
	Vehicles     []string `env:"SVC_VEHICLES" help:"Where buses and other vehicles of public transport are: SIRI-VM or GTFS-Realtime, addresses or files, separated by commas; see docs/transit.md." placeholder:"URL"`
	TripUpdates  []string `env:"SVC_TRIP_UPDATES" help:"How trips of public transport differ from the timetable: GTFS-Realtime or SIRI-ET, addresses or files, separated by commas; see docs/transit.md." placeholder:"URL"`
	Profile      string   `env:"SVC_TRAFFIC_PROFILE" help:"Usual speeds by the hour of the week, a CSV file; see docs/traffic.md." type:"path" placeholder:"FILE"`
	History      string   `env:"SVC_TRAFFIC_HISTORY" help:"Folder in which to record live speeds by the hour, for waygate traffic learn; see docs/traffic.md." type:"path" placeholder:"DIR"`
	Feeds        string   `env:"SVC_FEEDS" help:"JSON file that lists live feeds; see docs/feeds.md." type:"path" placeholder:"FILE"`
}
