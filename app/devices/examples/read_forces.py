"""Prints joint positions and contact forces as they come: python3 read_forces.py [ADDRESS [COUNT]]"""
import itertools, sys, zmq

socket = zmq.Context().socket(zmq.SUB)
socket.setsockopt(zmq.CONFLATE, 1)  # only the newest step waits for us
socket.subscribe("")
socket.connect(sys.argv[1] if len(sys.argv) > 1 else "tcp://127.0.0.1:5758")
for _ in range(int(sys.argv[2])) if len(sys.argv) > 2 else itertools.count():
    state = socket.recv_json()
    print(f"step {state['step']}, t = {state['time']:.3f} s, joints", *[f"{q:.3f}" for q in state["joints"]["positions"]])
    for effector in state["effectors"]:
        print(f"  {effector['name']}: {effector['force']} N, {effector['moment']} N m", flush=True)
