"""Leads an arm of the open scene along a circle, 60 poses a second: python3 send_poses.py [ADDRESS [COUNT]]"""
import math, sys, time, zmq

socket = zmq.Context().socket(zmq.REQ)
socket.routing_id = b"circle"  # settings are kept under this name
socket.connect(sys.argv[1] if len(sys.argv) > 1 else "tcp://127.0.0.1:5757")
start = time.time()
for seq in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1000):
    angle = seq / 60
    position = [0.45 + 0.1 * math.cos(angle), 0.1 * math.sin(angle), 0.4]  # metres, world frame
    socket.send_json({"seq": seq, "position": position, "quaternion_wxyz": [0, 1, 0, 0], "closing": 0})
    reply = socket.recv_json()
    if not reply["taken"]:
        sys.exit(reply["error"])
    time.sleep(max(0, start + (seq + 1) / 60 - time.time()))
