// What cards ask the picture to do. A context, so that cards stay the same while these change.
import { createContext, useContext } from 'react';
import type { Side } from '../state/view';

export interface MapActions {
  toggleHop: (id: string, side: Side) => void;
  toggleColumns: (id: string) => void;
  pin: (id: string, column: string | null, add: boolean) => void;
  focus: (id: string) => void;
  openStack: (id: string) => void;
  openEdge: (source: string, target: string, statement?: string) => void; // ids
  searchColumns: (id: string, text: string) => void;
  moreColumns: (id: string) => void;
  toggleGroup: (name: string) => void;
  openChecks: (id: string) => void;
}

const nothing = () => undefined;

export const MapActionsContext = createContext<MapActions>({
  toggleHop: nothing,
  toggleColumns: nothing,
  pin: nothing,
  focus: nothing,
  openStack: nothing,
  openEdge: nothing,
  searchColumns: nothing,
  moreColumns: nothing,
  toggleGroup: nothing,
  openChecks: nothing,
});

export const useMapActions = (): MapActions => useContext(MapActionsContext);

// Whether the picture is seen from far away.
export const FarContext = createContext(false);
