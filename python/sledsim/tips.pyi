from .model.tip_codes import TipCode as TipCode, tip_code as tip_code, tip_placement as tip_placement
