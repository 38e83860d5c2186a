def tried(f):
    try:
        return f()
    except Exception as e:
        return e

def numbers(q):
    return [(p["batchId"], p["numInputRows"], p["eventTime"].get("watermark") if p["eventTime"] else None,
             [(o["operatorName"], o["numRowsTotal"], o["numRowsUpdated"], o["numRowsRemoved"],
             o["numRowsDroppedByWatermark"]) for o in p["stateOperators"]]) for p in q.recentProgress]

def ev(name, *rows):
    put(f"in/{name}.json", "".join('{"user":"%s","kind":"%s","amount":%s,"ts":"2024-03-01 %s"}\n' % r for r in rows))
ev("1", ("ann", "buy", 10, "10:00:00"), ("bob", "view", "null", "10:01:00"), ("ann", "view", "null", "10:04:00"))
ev("2", ("bob", "buy", 25, "10:12:00"), ("cid", "buy", 5, "10:13:00"), ("ann", "buy", 7, "10:09:00"))
ev("3", ("ann", "buy", 3, "10:31:00"), ("bob", "refund", -25, "10:14:00"))
ev("4", ("dan", "buy", 100, "11:00:00"), ("bob", "buy", 1, "10:05:00"))
put("users/u.json", '{"name":"ann","country":"DE"}\n{"name":"bob","country":"FR"}\n{"name":"dan","country":"DE"}\n{"name":"zoe","country":"IT"}\n')
raw = spark.readStream.schema("user STRING, kind STRING, amount INT, ts TIMESTAMP").option("maxFilesPerTrigger", 1).json("in")
raw.createOrReplaceTempView("raw")
raw.withWatermark("ts", "10 minutes").createOrReplaceTempView("events")
spark.read.schema("name STRING, country STRING").json("users").createOrReplaceTempView("users")
n = 0
def run(text, mode="append"):
    global n
    n += 1
    name = f"t{n}"
    def go():
        d = spark.sql(text)
        q = d.writeStream.format("memory").queryName(name).outputMode(mode).trigger(availableNow=True).start()
        q.awaitTermination()
        return [d.isStreaming, d.dtypes, numbers(q)]
    show(f"{n} run " + text[:60], tried(go))
    show(f"{n} rows", tried(lambda: spark.table(name)))
run("SELECT window.start AS s, window.end AS e, sum(amount) AS total FROM events GROUP BY window(ts, '10 minutes')")
run("SELECT window, kind, count(*) AS n FROM events GROUP BY window(ts, '10 minutes', '5 minutes'), kind HAVING count(*) > 1")
run("SELECT window(ts, '10 minutes') AS w, user, sum(amount) FROM events WHERE kind = 'buy' GROUP BY window(ts, '10 minutes'), user", "update")
run("SELECT user, CASE WHEN sum(amount) >= 20 THEN 'gold' WHEN sum(amount) > 0 THEN 'silver' ELSE 'none' END AS tier FROM raw GROUP BY user", "complete")
run("SELECT CASE kind WHEN 'buy' THEN 'money' ELSE 'other' END AS what, count(*) c, sum(coalesce(amount, 0)) a FROM raw GROUP BY 1 ORDER BY c DESC", "complete")
run("SELECT country, sum(amount) AS total FROM raw JOIN users ON user = name GROUP BY country", "complete")
run("SELECT u.country, window.end, count(DISTINCT e.user) FROM events e JOIN users u ON e.user = u.name GROUP BY window(ts, '10 minutes'), u.country")
run("SELECT u.country, date_format(window.end, 'HH:mm') AS till, count(*) AS n, approx_count_distinct(e.user) AS who FROM events e LEFT JOIN users u ON e.user = u.name GROUP BY window(e.ts, '10 minutes'), u.country")
run("SELECT user, count(*) AS n FROM raw GROUP BY user ORDER BY n DESC, user LIMIT 2", "complete")
run("SELECT DISTINCT user, kind FROM raw")
run("SELECT a.user, a.amount, b.kind FROM events a JOIN events b ON a.user = b.user AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 10 MINUTES WHERE a.kind = 'buy' AND b.kind <> 'buy'")
run("SELECT max(total) FROM (SELECT user, sum(amount) AS total FROM raw GROUP BY user)", "complete")
run("SELECT date_trunc('hour', ts) AS h, count(*) FROM events GROUP BY date_trunc('hour', ts)")
run("SELECT date_trunc('hour', ts) AS h, count(*) FROM events GROUP BY h", "update")
run("SELECT hour(ts) AS h, minute(ts) DIV 10 AS m, count(*) FROM raw GROUP BY ALL", "update")
run("WITH buys AS (SELECT * FROM events WHERE kind = 'buy'), totals AS (SELECT window(ts, '15 minutes') w, sum(amount) AS t FROM buys GROUP BY window(ts, '15 minutes')) SELECT w.start, t FROM totals WHERE t > 5")
run("SELECT user, sum(amount) FILTER (WHERE kind = 'buy') AS bought, count_if(kind = 'view') AS views FROM raw GROUP BY user", "update")
run("SELECT session_window.start, session_window.end, user, count(*) FROM events GROUP BY user, session_window(ts, '5 minutes')")
run("SELECT session_window(ts, CASE WHEN kind = 'buy' THEN '10 minutes' ELSE '2 minutes' END) AS s, user, count(*) FROM events GROUP BY session_window(ts, CASE WHEN kind = 'buy' THEN '10 minutes' ELSE '2 minutes' END), user")
run("SELECT window_time(window) AS t, sum(amount) AS s FROM events GROUP BY window(ts, '10 minutes')")
run("SELECT window(window, '30 minutes') AS big, sum(n) FROM (SELECT window, count(*) AS n FROM events GROUP BY window(ts, '10 minutes')) GROUP BY window(window, '30 minutes')")
run("SELECT user, amount FROM raw WHERE user IN ('ann', 'bob') AND amount BETWEEN 1 AND 10 AND kind NOT LIKE 're%'")
run("SELECT user FROM raw WHERE user IN (SELECT name FROM users WHERE country = 'DE')")
run("SELECT user FROM raw WHERE NOT EXISTS (SELECT 1 FROM users WHERE name = raw.user)")
run("SELECT user FROM raw LEFT ANTI JOIN users ON user = name")
run("SELECT * FROM raw LIMIT 3")
run("SELECT user, rank() OVER (PARTITION BY user ORDER BY ts) r FROM raw")
run("SELECT user, sum(amount) FROM raw GROUP BY user")
run("SELECT nope FROM raw")
run("SELECT user, amount FROM raw GROUP BY user")
run("SELECT user, count(*) FROM events GROUP BY user HAVING sum(amount) > 10", "update")
run("SELECT window.start, count(*) FROM events GROUP BY window(ts, '1 month')")
run("SELECT first(user), last(kind) FROM raw", "complete")
run("SELECT u.country, count(*) FROM users u RIGHT JOIN raw r ON u.name = r.user GROUP BY u.country", "complete")
run("SELECT r.user, u.country FROM raw r FULL OUTER JOIN users u ON u.name = r.user")
run("SELECT r.user, u.country FROM raw r RIGHT JOIN users u ON u.name = r.user")
run("SELECT if(amount > 5, 'big', 'small') size, count(*) FROM raw WHERE amount IS NOT NULL GROUP BY size", "complete")
run("SELECT user, collect_list(kind) FROM raw GROUP BY user", "complete")
run("SELECT kind, min_by(user, ts) AS first_user, max_by(user, ts) AS last_user FROM raw GROUP BY kind", "complete")
run("SELECT user, kind FROM events UNION ALL SELECT user, kind FROM raw WHERE amount > 20")
run("SELECT user FROM events UNION SELECT kind FROM raw")
run("SELECT * FROM (SELECT user, kind, ts FROM events) t ORDER BY ts")
run("SELECT user FROM raw WHERE user NOT IN (SELECT name FROM users WHERE country = 'DE') AND amount > 0")
run("SELECT user FROM raw r WHERE EXISTS (SELECT * FROM users u WHERE u.name = r.user AND u.country = 'FR')")
run("SELECT name FROM users WHERE name IN (SELECT user FROM raw)")
