package native

import "strings"

// attributes are the names that a filter of a trace may have, Valhalla's. Those an engine has
// no data for are known too and change nothing.
var attributes = strings.Fields(`
edge.names edge.length edge.speed edge.speed_limit edge.speed_type edge.truck_speed edge.road_class edge.begin_heading edge.end_heading
edge.begin_shape_index edge.end_shape_index edge.traversability edge.use edge.toll edge.unpaved edge.tunnel edge.bridge
edge.roundabout edge.internal_intersection edge.drive_on_right edge.surface edge.sign.exit_number edge.sign.exit_branch
edge.sign.exit_toward edge.sign.exit_name edge.travel_mode edge.vehicle_type edge.pedestrian_type edge.bicycle_type
edge.transit_type edge.id edge.indoor edge.way_id edge.weighted_grade edge.max_upward_grade edge.max_downward_grade
edge.mean_elevation edge.elevation edge.lane_count edge.lane_connectivity edge.cycle_lane edge.bicycle_network edge.sac_scale
edge.shoulder edge.sidewalk edge.density edge.truck_route edge.hov_type edge.country_crossing edge.forward edge.traffic_signal
edge.landmarks edge.levels edge.is_urban edge.tagged_values edge.default_speed edge.speeds_faded edge.speeds_non_faded
edge.source_percent_along edge.target_percent_along edge.conditional_speed_limits edge.access_restriction
node.intersecting_edge.begin_heading node.intersecting_edge.from_edge_name_consistency
node.intersecting_edge.to_edge_name_consistency node.intersecting_edge.driveability node.intersecting_edge.cyclability
node.intersecting_edge.walkability node.intersecting_edge.use node.intersecting_edge.road_class node.intersecting_edge.lane_count
node.intersecting_edge.sign_info node.elapsed_time node.elapsed_cost node.admin_index node.type node.traffic_signal node.fork
node.time_zone node.transition_time
osm_changeset shape shape_attributes.time shape_attributes.length shape_attributes.speed shape_attributes.speed_limit
shape_attributes.closure admin.country_code admin.country_text admin.state_code admin.state_text
matched.point matched.type matched.edge_index matched.begin_route_discontinuity matched.end_route_discontinuity
matched.distance_along_edge matched.distance_from_trace_point confidence_score raw_score incidents`)
