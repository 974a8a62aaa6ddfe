"""What the analysts of the sample warehouse ask in Impala on the day of samples/logs: texts with {blanks}, and what fills them."""

DAYS = [f"2024-06-{day:02d}" for day in range(1, 31)]
CITIES = ["SHA", "HGH", "NKG", "SZV", "WUH", "CTU"]

BLANKS = {
    "day": DAYS[20:],
    "from": DAYS[:15],
    "city": CITIES,
    "other": CITIES[::-1],
    "limit": [10, 20, 50, 100],
    "share": ["0.05", "0.1", "0.25"],
    "amount": [30, 60, 120, 400],
}

# (users who ask it, text); an analyst's text is as it comes: with line breaks, comments, either case.
QUESTIONS = [
    (["lin", "wang", "zhao"], "select city_name, trips, income, rank_in_region from ads.ads_city_board_day where dt = '{day}' order by income desc limit {limit}"),
    (["lin", "chen"], "SELECT city_code, sum(income) AS income, sum(trips) AS trips\nFROM dws.dws_city_day\nWHERE dt BETWEEN '{from}' AND '{day}'\nGROUP BY city_code"),
    (["wang"], "with good as (\n  select rider_id, sum(paid_amount) as paid from dws.dws_rider_day where dt >= '{from}' group by rider_id having sum(paid_amount) > {amount}\n)\n"
               "select t.tag_val, count(*) as riders from good g join dws.dws_rider_tag t on t.rider_id = g.rider_id where t.dt = '{day}' group by t.tag_val"),
    (["priya", "zhao"], "select v.badge, count(*) as riders from ads.v_rider_value v group by v.badge"),
    (["priya"], "-- 空桩组\nselect region_name, sum(free_slots) as free_slots, count(*) as docks from dws.v_dock_now where bikes_now < {limit} group by region_name"),
    (["board"], "select dock_id, empty_min, full_min, sla_ok from ads.ads_dock_sla where dt = '{day}' and sla_ok = false"),
    (["board"], "select kpi_name, `scope`, kpi_val from ads.ads_kpi_long where dt = '{day}'"),
    (["board", "lin"], "select b.city_name, b.income, c.income as raw_income from ads.ads_city_board_day b join dim.dim_city d on d.city_name = b.city_name "
                       "join dws.dws_city_day c on c.city_code = d.city_code and c.dt = b.dt where b.dt = '{day}' and d.city_code in ('{city}', '{other}')"),
    (["chen"], "select h.hh, sum(h.out_trips) as out_trips, sum(h.in_trips) as in_trips\nfrom dws.dws_dock_hour h\nwhere h.dt = '{day}' and h.city_code = '{city}'\n"
               "group by h.hh\norder by h.hh"),
    (["chen", "zhao"], "select bike_id, risk_score, battery_soc from dws.dws_bike_health where risk_score > {share} and city_code = '{city}' order by risk_score desc limit {limit}"),
    (["wang", "priya"], "/* complaints of good riders */\nselect c.rider_id, c.score, f.segment\nfrom ods.ods_complaint_di c\n  join ads.ads_rider_rfm f on f.rider_id = c.rider_id\n"
                        "where c.dt = '{day}' and c.score <= 2 and f.m_score >= 3"),
    (["zhao"], "select dayname(v.start_at) as day_name, avg(v.ride_min) as ride_min from dwd.v_trip_valid v where v.dt between '{from}' and '{day}' and v.city_code = '{city}' group by 1"),
    (["lin"], "insert into tmp.city_watch select city_code, '{city}', sum(income) * {share} from dws.dws_city_day where dt = '{day}' group by city_code"),
]

# What goes wrong: (users, text, how it ends, milliseconds).
MISTAKES = [
    (["zhao"], "select city_name, revenue from ads.ads_city_board_day where dt = '{day}'",
     "ERROR AnalysisException: Could not resolve column/field reference: 'revenue'", 31),
    (["lin"], "select * from dws.dws_city_daily where dt = '{day}'", "ERROR AnalysisException: Could not resolve table reference: 'dws.dws_city_daily'", 18),
    (["priya"], "select count(* from dim.dim_city", "ERROR ParseException: Syntax error in line 1", 4),
    (["wang"], "select p.trip_id, p.lat, p.lon, d.paid_amount from dwd.dwd_trip_point_di p join dwd.dwd_trip_detail_di d on d.trip_id = p.trip_id where d.dt >= '{from}'",
     "EXCEPTION Memory limit exceeded: HASH_JOIN_NODE could not allocate 64.00 MB", 95114),
    (["chen"], "select rider_id, count(*) from dwd.dwd_app_event_di where dt between '{from}' and '{day}' group by rider_id", "CANCELLED", 48200),
]
