"""A policy without eyes, for tests: presses the dough of flatten_dough three times, in 1000 poses at 60 Hz.

python3 press_dough.py POSES STATES X Y: POSES and STATES are the addresses of the network endpoint, X and Y the middle of the
dough [m]. Every fiftieth message is followed by one that nobody can take. Prints what was sent, taken and refused, and whether
the replies came in order, as JSON.
"""
import json, sys, time, zmq

COUNT, RATE = 1000, 60
BAD = ('{"seq": 7, "position": [NaN, 0, 0], "quaternion_wxyz": [1, 0, 0, 0]}', '{"seq": 7, "position": [0,',
       '{"seq": 7, "position": [0, 0], "quaternion_wxyz": [1, 0, 0, 0]}',
       '{"seq": 7, "position": [0, 0, 0], "quaternion_wxyz": [1, 1, 1, 1]}')
context = zmq.Context()
states = context.socket(zmq.SUB)
states.connect(sys.argv[2])
states.subscribe("")
hand = states.recv_json()["effectors"][0]
x, y = float(sys.argv[3]), float(sys.argv[4])
above, down, away = 0.31, 0.238, 0.45
# (part of the time, place); the last rise is what the task waits for.
way = [(0, hand["position"]), (0.12, [x - 0.07, y, above]), (0.2, [x - 0.07, y, down]), (0.24, [x - 0.07, y, down]),
       (0.32, [x - 0.07, y, above]), (0.4, [x + 0.07, y, above]), (0.48, [x + 0.07, y, down]), (0.52, [x + 0.07, y, down]),
       (0.6, [x + 0.07, y, above]), (0.65, [x, y, above]), (0.75, [x, y, down]), (0.8, [x, y, down]), (0.96, [x, y, above]),
       (1, [x, y, away])]


def place(part):
    for (t0, a), (t1, b) in zip(way, way[1:]):
        if part <= t1:
            return [p + (part - t0) / (t1 - t0) * (q - p) for p, q in zip(a, b)]


poses = context.socket(zmq.DEALER)
poses.routing_id = b"policy"
poses.connect(sys.argv[1])
replies, refused = [], 0


def read_replies(wait_ms):
    global refused
    while poses.poll(wait_ms):
        reply = poses.recv_json()
        refused += not reply["taken"]
        if reply["taken"]:
            replies.append(reply["seq"])


begin = time.monotonic()
for seq in range(COUNT):
    poses.send_json({"seq": seq, "effector": hand["name"], "position": place(seq / (COUNT - 1)),
                     "quaternion_wxyz": hand["quaternion_wxyz"]})
    if seq % 50 == 49:
        poses.send_string(BAD[seq // 50 % len(BAD)])
    read_replies(0)
    time.sleep(max(0, begin + (seq + 1) / RATE - time.monotonic()))
seconds = time.monotonic() - begin
while len(replies) < COUNT and poses.poll(5000):
    read_replies(100)
read_replies(300)
print(json.dumps({"sent": COUNT, "seconds": round(seconds, 2), "taken": len(replies), "refused": refused,
                  "in_order": replies == list(range(COUNT))}))
