"""A client of the network endpoint, for tests: sends poses a millisecond apart without waiting for replies.

python3 pose_client.py ADDRESS NAME COUNT: prints the seq of every reply that says taken, as a JSON list.
COUNT 0: sends until it is killed; prints a line once the first was taken."""
import itertools, json, sys, zmq

address, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
socket = zmq.Context().socket(zmq.DEALER)
socket.routing_id = name.encode()
socket.connect(address)
taken = []


def read_reply():
    reply = socket.recv_json()
    if reply["taken"]:
        taken.append(reply["seq"])


for seq in range(count) if count else itertools.count():
    position = [seq * 1e-3, 0, 0.5]
    socket.send_json({"seq": seq, "effector": "arm", "position": position, "quaternion_wxyz": [1, 0, 0, 0]})
    while socket.poll(1):
        read_reply()
        if count == 0 and len(taken) == 1:
            print("driving", flush=True)
while len(taken) < count and socket.poll(20000):
    read_reply()
print(json.dumps(taken))
